import type { GraphQLResolveInfo } from 'graphql';

type Path = GraphQLResolveInfo['path'];

/** A path node, with its children so far. */
interface Step {
  readonly path: Path | undefined;
  readonly next: Map<string | number, Step>;
}

/** The path nodes of one run, each created once. */
const runs = new WeakMap<object, Step>();

const first = (): Step => ({ path: undefined, next: new Map() });

function stepTo({ prev, key }: Path, start: Step): Step {
  const before = prev ? stepTo(prev, start) : start;
  const existing = before.next.get(key);
  if (existing) return existing;
  const step = { path: { prev: before.path, key, typename: undefined }, next: new Map() };
  before.next.set(key, step);
  return step;
}

/**
 * Returns the same path object for the same position within one run, identified by its context. The
 * interpreter passes all fields of a position one object; compiled code creates a new one each
 * time, so Pothos would not recognise what it already loaded, and would load it again.
 */
export function sharedPath(path: Path, context: object): Path {
  let start = runs.get(context);
  if (!start) {
    start = first();
    runs.set(context, start);
  }
  return stepTo(path, start).path ?? path;
}
