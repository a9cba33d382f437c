import type { Logger } from './log.ts';

/** A step that a shutdown, or a start that fails, takes back. */
export type Undo = () => Promise<unknown> | unknown;

/** Runs the steps in reverse order, each once; failures are logged. */
export async function unwind(undo: Undo[], log: Pick<Logger, 'error'>): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) {
    await Promise.resolve(step()).catch((error: unknown) => log.error({ err: error }, 'stopping'));
  }
}
