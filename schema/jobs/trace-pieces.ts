import type { Context } from '../kernel/context.ts';
import { type CiStatus, isFinished } from '../pipelines/status.ts';
import type { JobPlace } from '../ports/job-files.ts';
import { withoutPartialCharacter } from './utf8.ts';

/** A part of the trace of a job. */
export interface TracePiece {
  readonly jobId: number;
  readonly status: CiStatus;
  /** Bytes before the text. */
  readonly offset: number;
  readonly text: string;
  /** Bytes up to the end of the text. */
  readonly nextOffset: number;
  /** The job has ended and the text ends with its trace. */
  readonly isComplete: boolean;
}

interface TracedJob extends JobPlace {
  readonly status: CiStatus;
}

/** The piece of a trace that begins at byte `offset`, with whether more is stored after it. */
export async function readPiece(
  { id, projectId, status }: TracedJob,
  offset: number,
  { jobFiles }: Pick<Context, 'jobFiles'>,
): Promise<TracePiece & { readonly hasMore: boolean }> {
  const opened = await jobFiles.openTrace({ id, projectId }, offset);
  const stored = opened ? await firstChunk(opened.content) : Buffer.alloc(0);
  const left = (opened?.size ?? 0) - stored.length;
  const isOver = isFinished(status) || status === 'skipped';
  // the rest of a character may still be written
  const isLast = isOver && left <= 0;
  const bytes = isLast ? stored : withoutPartialCharacter(stored);
  const hasMore = left > 0 && bytes.length > 0;
  return {
    jobId: id,
    status,
    offset,
    text: bytes.toString('utf8'),
    nextOffset: offset + bytes.length,
    isComplete: isOver && !hasMore,
    hasMore,
  };
}

/** As much as one read of the file gives, 64 KiB. */
async function firstChunk(content: AsyncIterable<unknown>): Promise<Buffer> {
  for await (const chunk of content) return chunk as Buffer;
  return Buffer.alloc(0);
}

/** How far a subscription has read. Its events share one cursor, which each of them moves on. */
export interface TraceCursor extends JobPlace {
  offset: number;
  /** What is to be expected after the last piece. */
  state: 'more' | 'waiting' | 'complete';
}

/** An event for each piece: those stored already, then after each change of the job or its trace. */
export async function* eventsOf(
  cursor: TraceCursor,
  changes: AsyncIterable<unknown>,
): AsyncGenerator<TraceCursor, void> {
  yield* storedPieces(cursor);
  if (isComplete(cursor)) return;
  for await (const _change of changes) {
    yield* storedPieces(cursor);
    if (isComplete(cursor)) return;
  }
}

function* storedPieces(cursor: TraceCursor): Generator<TraceCursor, void> {
  do yield cursor;
  while (hasMore(cursor));
}

const hasMore = ({ state }: TraceCursor): boolean => state === 'more';
const isComplete = ({ state }: TraceCursor): boolean => state === 'complete';
