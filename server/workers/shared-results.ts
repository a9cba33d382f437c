import { createHash } from 'node:crypto';
import type { WorkerTask } from '../../schema/ports/worker-pool.ts';
import { keptResults } from './kept-results.ts';

/** Characters of all kept results: 4 to 8 MB. */
const capacity = 4 * 1024 * 1024;

/** Keeps results of tasks that have `sizeOf`. Tasks are pure: equal inputs have equal results. */
export function sharedResults() {
  const kept = keptResults(capacity);

  return async <Input, Output>(
    task: WorkerTask<Input, Output>,
    input: Input,
    run: () => Promise<Output>,
  ): Promise<Output> => (task.sizeOf ? kept(taskKey(task.kind, input), task.sizeOf, run) : run());
}

/** Equal for equal inputs of a kind of task. */
export const taskKey = (kind: string, input: unknown): string =>
  createHash('sha256').update(kind).update(JSON.stringify(input)).digest('base64');
