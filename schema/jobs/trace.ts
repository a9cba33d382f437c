import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
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

/** A page of jobs reads that many traces at a time. */
const reading = pLimit(4);

/** The last `lines` lines of a trace, as far as they are within its last 128 KiB. */
async function readTail(job: JobPlace, lines: number, { jobFiles }: Pick<Context, 'jobFiles'>) {
  const size = await jobFiles.traceSize(job);
  const start = Math.max(0, size - maxBytes);
  const opened = size > 0 ? await jobFiles.openTrace(job, start) : null;
  const bytes = opened ? await firstBytes(opened.content) : Buffer.alloc(0);
  return lastLines(start > 0 ? withoutPartialLine(bytes) : bytes, lines).toString('utf8');
}

/** The runner may append while the trace is read: the rest is ignored. */
async function firstBytes(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
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
        return reading(() => readTail({ id, projectId }, lines, ctx));
      }),
  }),
);
