import { createContext, Script } from 'node:vm';
import type { WorkerTask } from '../ports/worker-pool.ts';

/** Maximum length of a pattern, and of a text it is matched against. */
const maxLength = 255;

/** Milliseconds for all patterns of a file, in their worker thread. */
const timeLimit = 200;

/**
 * The `patterns` (without slashes) that match `name`; null when matching takes too long. Invalid
 * and overlong patterns match nothing.
 */
export function patternsMatching(
  patterns: readonly string[],
  name: string,
): ReadonlySet<string> | null {
  const tried = [...new Set(patterns)].filter(({ length }) => length <= maxLength);
  if (tried.length === 0 || name.length > maxLength) return new Set();
  try {
    return new Set(
      tryAll.runInContext(createContext({ patterns: tried, name }), limits) as string[],
    );
  } catch (failure) {
    // an error of the script's own realm, not an instance of our Error
    if ((failure as { readonly code?: unknown }).code === timedOut) return null;
    throw failure;
  }
}

interface MeasureInput {
  readonly pattern: string;
  readonly text: string;
}

/**
 * The number in the last match of a pattern, or of its last group, in the last line of `text` that
 * has one; null when no line has, the pattern is invalid, or matching takes too long.
 */
export function lastMeasure({ pattern, text }: MeasureInput): number | null {
  if (pattern.length > maxLength) return null;
  try {
    const match = measure.runInContext(createContext({ pattern, text }), limits) as string | null;
    const number = match === null ? Number.NaN : Number(match);
    return Number.isFinite(number) ? number : null;
  } catch (failure) {
    if ((failure as { readonly code?: unknown }).code === timedOut) return null;
    throw failure;
  }
}

export const measureTask: WorkerTask<MeasureInput, number | null> = {
  kind: 'coverage',
  subject: 'The coverage pattern',
  module: import.meta.url,
  work: lastMeasure,
  timeLimit: 5_000,
};

const timedOut = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const limits = { timeout: timeLimit };

/** A separate script, because the engine can interrupt that anywhere in a pattern. */
const tryAll = new Script(`
  patterns.filter((pattern) => {
    try {
      return new RegExp(pattern).test(name);
    } catch {
      return false;
    }
  })
`);

const measure = new Script(`
  (() => {
    let tried;
    try {
      tried = new RegExp(pattern, 'g');
    } catch {
      return null;
    }
    const lines = text.split('\\n');
    for (let at = lines.length - 1; at >= 0; at -= 1) {
      const match = [...lines[at].matchAll(tried)].at(-1);
      const number = match && /\\d+(?:\\.\\d+)?/.exec(match.at(-1) ?? match[0]);
      if (number) return number[0];
    }
    return null;
  })()
`);
