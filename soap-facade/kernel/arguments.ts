import { isMap, type MapValue, type Value } from './value.ts';

const isEmptyList = (value: Value | undefined) => Array.isArray(value) && value.length === 0;

/** PHP's arrays that begin with 1, or have gaps: a list whose keys came along. */
const isNumbered = (map: MapValue) => {
  const keys = Object.keys(map);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
};

/** The arguments by position: a list is all of them, anything else the only one. */
function positional(args: Value): readonly Value[] {
  if (args === null) return [];
  if (Array.isArray(args)) return args;
  return isMap(args) && isNumbered(args) ? Object.values(args) : [args];
}

/**
 * What a method is called with, by name: the parameters of its path in order, then one map of all
 * others; or one map of everything. Null when there is more than that.
 */
export function namedArguments(args: Value, path: readonly string[]): MapValue | null {
  const given = positional(args);
  // whoever gives a map has said all that comes by position
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
