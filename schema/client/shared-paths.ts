import type { GraphQLResolveInfo } from 'graphql';

type Path = GraphQLResolveInfo['path'];

/** A step of a path with the steps that were taken from it. */
interface Step {
  readonly path: Path | undefined;
  readonly next: Map<string | number, Step>;
}

/** The paths of one run, each made once. */
const runs = new WeakMap<object, Step>();

const first = (): Step => ({ path: undefined, next: new Map() });

function stepTo({ prev, key }: Path, start: Step): Step {
  const before = prev ? stepTo(prev, start) : start;
  const known = before.next.get(key);
  if (known) return known;
  const step = { path: { prev: before.path, key, typename: undefined }, next: new Map() };
  before.next.set(key, step);
  return step;
}

/**
 * The same path for the same place within one run, told by its context. The interpreter gives all
 * fields below a place one object; compiled code makes a new one each time, by which Pothos would not
 * recognise what it has loaded already, and load it again.
 */
export function sharedPath(path: Path, context: object): Path {
  let start = runs.get(context);
  if (!start) {
    start = first();
    runs.set(context, start);
  }
  return stepTo(path, start).path ?? path;
}
