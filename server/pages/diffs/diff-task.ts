import { DomainError } from '../../../schema/kernel/errors.ts';
import type { WorkerTask } from '../../../schema/ports/worker-pool.ts';
import type { Visit } from '../kernel/page.ts';
import { type RenderedFile, renderDiffs } from './render-diffs.ts';

type Input = Parameters<typeof renderDiffs>[0];

/** Characters that are rendered in a few milliseconds. */
const small = 16 * 1024;

const task: WorkerTask<Input, readonly RenderedFile[]> = {
  kind: 'diff',
  subject: 'The diff',
  module: new URL('./render-diffs.ts', import.meta.url).href,
  work: renderDiffs,
  timeLimit: 5_000,
  isSmall: ({ files }) => files.reduce((sum, { diff }) => sum + diff.length, 0) <= small,
};

/** The rendered files; null if they exceed the limits of a worker thread. */
export async function rendered(
  visit: Visit,
  input: Input,
): Promise<readonly RenderedFile[] | null> {
  try {
    return await visit.process(task, input);
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'too-costly') return null;
    throw error;
  }
}
