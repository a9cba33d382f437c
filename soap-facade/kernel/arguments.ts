import { isMap, type MapValue, type Value } from './value.ts';

const isEmptyList = (value: Value | undefined) => Array.isArray(value) && value.length === 0;

/** A PHP array that starts at 1 or has gaps: a list sent with its keys. */
const isNumbered = (map: MapValue) => {
  const keys = Object.keys(map);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
};

/** Positional arguments: a list, or any other value as the only one. */
function positional(args: Value): readonly Value[] {
  if (args === null) return [];
  if (Array.isArray(args)) return args;
  return isMap(args) && isNumbered(args) ? Object.values(args) : [args];
}

/**
 * The arguments of a method by name: its path parameters in order, then one map of all
 * others; or one map of everything. Null if there are more.
 */
export function namedArguments(args: Value, path: readonly string[]): MapValue | null {
  const given = positional(args);
  // a map ends the positional arguments
  const isOthers = (value: Value | undefined) => isMap(value) || isEmptyList(value);
  const end = given.findIndex(isOthers);
  const inPath = (end < 0 ? given : given.slice(0, end)).slice(0, path.length);
  const [others = null, ...more] = given.slice(inPath.length);
  if (more.some((value) => value !== null)) return null;
  if (others !== null && !isOthers(others)) return null;
  const named = path.flatMap((name, place) => {
    const value = inPath[place];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...(isMap(others) && others), ...Object.fromEntries(named) };
}
