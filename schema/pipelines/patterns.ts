import { createContext, Script } from 'node:vm';

/** Of a pattern and of what it is tried on. */
const longest = 255;

/** Milliseconds that all patterns of a file may take together: somebody's pattern must not stop all. */
const timeLimit = 200;

/**
 * Those of `patterns`, which are what stands between slashes, that speak of `name`; null when they
 * take too long. One that is too long, or no pattern, speaks of nothing.
 */
export function patternsMatching(
  patterns: readonly string[],
  name: string,
): ReadonlySet<string> | null {
  const tried = [...new Set(patterns)].filter(({ length }) => length <= longest);
  if (tried.length === 0 || name.length > longest) return new Set();
  try {
    return new Set(
      tryAll.runInContext(createContext({ patterns: tried, name }), limits) as string[],
    );
  } catch (failure) {
    // made by the script's own world: no Error of ours
    if ((failure as { readonly code?: unknown }).code === timedOut) return null;
    throw failure;
  }
}

const timedOut = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const limits = { timeout: timeLimit };

/** A script by itself is what the engine can interrupt, wherever in a pattern it is. */
const tryAll = new Script(`
  patterns.filter((pattern) => {
    try {
      return new RegExp(pattern).test(name);
    } catch {
      return false;
    }
  })
`);
