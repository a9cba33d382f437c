import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { textCost } from '../kernel/cost.ts';
import { invalid } from '../kernel/errors.ts';
import { ifVisible } from '../kernel/results.ts';
import { pipelineProjectById } from '../pipelines/find.ts';
import type { JobPlace } from '../ports/job-files.ts';
import { Job } from './types.ts';

const maxLines = 1_000;
const maxBytes = 128 * 1024;

/** The last `lines` lines of a trace, as far as they are within its last 128 KiB. */
async function readTail(job: JobPlace, lines: number, { jobFiles }: Pick<Context, 'jobFiles'>) {
  const { bytes, isPartial } = await jobFiles.traceTail(job, maxBytes);
  return lastLines(isPartial ? withoutPartialLine(bytes) : bytes, lines).toString('utf8');
}

const newline = 0x0a;

/** The bytes after the first newline; a single long line is cut at a character. */
function withoutPartialLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(newline);
  if (end >= 0 && end < bytes.length - 1) return bytes.subarray(end + 1);
  const isContinuation = (byte: number) => byte >= 0x80 && byte < 0xc0;
  return bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((byte) => !isContinuation(byte)),
    ),
  );
}

function lastLines(bytes: Buffer, lines: number): Buffer {
  // a newline at the end belongs to the last line
  let end = bytes.length - 1;
  for (let left = lines; left > 0; left -= 1) {
    end = end > 0 ? bytes.lastIndexOf(newline, end - 1) : -1;
    if (end < 0) return bytes;
  }
  return bytes.subarray(end + 1);
}

builder.prismaObjectField(Job, 'trace', (t) =>
  t.string({
    nullable: true,
    complexity: textCost,
    description:
      'The end of the trace (log), with its terminal sequences; at most its last 128 KiB. Empty without output. Invalid UTF-8 is replaced by U+FFFD. Null for an anonymous user, and for a user who may not see the job.',
    args: {
      tail: t.arg.int({
        defaultValue: 100,
        description: `The number of lines, counted from the end: 1 to ${maxLines}.`,
      }),
    },
    select: { id: true, projectId: true },
    resolve: ({ id, projectId }, { tail }, ctx) =>
      ifVisible(async () => {
        const lines = tail ?? 100;
        if (lines < 1 || lines > maxLines) throw invalid({ tail: [`must be 1 to ${maxLines}`] });
        await pipelineProjectById(projectId, ctx);
        return readTail({ id, projectId }, lines, ctx);
      }),
  }),
);
