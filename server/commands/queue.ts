import type { Jobs } from '../../schema/ports/jobs.ts';
import { openQueue } from '../jobs/queue.ts';

/** Runs `work` with the queue of background jobs, which servers work on. */
export async function withQueue<Result>(
  { url }: { readonly url: string },
  work: (jobs: Jobs) => Promise<Result>,
): Promise<Result> {
  const queue = await openQueue(url, {
    onError: (error) => process.stderr.write(`queue: ${error.message}\n`),
  });
  try {
    return await work(queue);
  } finally {
    await queue.stop();
  }
}
