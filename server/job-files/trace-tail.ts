import type { Readable } from 'node:stream';
import type { JobFiles } from '../../schema/ports/job-files.ts';
import { turnsOf } from '../scheduling/heavy-work.ts';
import type { Traces } from './traces.ts';

/** A page of jobs reads that many traces at a time. */
const maxConcurrent = 4;
/** Transactions that wait for the archive: a slow one must not take all connections. */
const maxReopened = 4;

type InTurn = Pick<JobFiles, 'traceTail' | 'reopenInTurn'>;

/** What callers do with traces a few at a time. */
export function tracesInTurn({ traceSize, openTrace }: Traces): InTurn {
  const readingTurn = turnsOf('trace-tails', maxConcurrent);
  const reopeningTurn = turnsOf('reopened-traces', maxReopened, { isCounted: false });
  return {
    traceTail: (job, most) =>
      readingTurn(
        async () => {
          const size = await traceSize(job);
          const start = Math.max(0, size - most);
          const opened = size > 0 ? await openTrace(job, start) : null;
          const bytes = opened ? await firstBytes(opened.content, most) : Buffer.alloc(0);
          return { bytes, isPartial: start > 0 };
        },
        { project: String(job.projectId) },
      ),
    reopenInTurn: ({ projectId }, work) => reopeningTurn(work, { project: String(projectId) }),
  };
}

/** The runner may append while the trace is read: the rest is ignored. */
async function firstBytes(content: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}
