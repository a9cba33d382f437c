import * as files from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { AppendResult, JobFiles, OpenedFile } from '../../schema/ports/job-files.ts';
import { orMissing } from '../disk/files.ts';
import { fileQueue } from './file-queue.ts';
import { masked } from './mask.ts';
import { type JobFolders, tracePath } from './paths.ts';

/** The end of a trace, in which a secret may begin. */
interface Tail {
  readonly end: number;
  readonly bytes: Buffer;
}

const remembered = 1000;

/** Limits for open files, in number and milliseconds: a running job appends piece after piece. */
const fdCacheOptions = { max: 256, ttl: 10_000, ttlAutopurge: true } as const;

// opening a FileHandle costs three times as much as a number, thousands of times a second
const openNumber = promisify(files.open);
const statNumber = promisify(files.fstat);
const readNumber = promisify(files.read);
const writeNumber = promisify(files.write);
const closeNumber = promisify(files.close);

export type Traces = Pick<
  JobFiles,
  'appendTrace' | 'traceSize' | 'openTrace' | 'removeTrace' | 'reopenTrace'
>;

/**
 * Traces are append-only files. The size is read from the disk each time, because other processes
 * append too, and a kill may lose an append.
 */
export function traceFiles(folders: JobFolders): Traces {
  const inTurn = fileQueue();
  const tails = new LRUCache<string, Tail>({ max: remembered });
  const opened = new LRUCache<string, number>({
    ...fdCacheOptions,
    // after any work in progress on the file
    dispose: (file, path) => void inTurn(path, () => closeNumber(file)).catch(() => undefined),
  });

  const tailOf = async (path: string, file: number, end: number, length: number) => {
    const cached = tails.get(path);
    if (cached?.end === end && cached.bytes.length >= Math.min(length, end)) return cached.bytes;
    const bytes = Buffer.alloc(Math.min(length, end));
    const { bytesRead } = await readNumber(file, bytes, 0, bytes.length, end - bytes.length);
    return bytes.subarray(0, bytesRead);
  };

  /** Forgets the open file, which another process may have removed. */
  const forget = (path: string) => {
    opened.delete(path);
    tails.delete(path);
  };

  const append = async (
    path: string,
    start: number,
    piece: Uint8Array,
    secrets: readonly Buffer[],
  ): Promise<AppendResult> => {
    const file = opened.get(path) ?? (await openToAppend(path, start === 0));
    if (file === null) return { size: 0, isInPlace: false };
    if (!opened.has(path)) opened.set(path, file);
    const { size } = await statNumber(file);
    if (size !== start) return { size, isInPlace: false };
    if (piece.length === 0) return { size, isInPlace: true };
    const length = Math.max(0, ...secrets.map((secret) => secret.length - 1));
    const { bytes, before } = masked(await tailOf(path, file, start, length), piece, secrets);
    await writeAll(file, bytes, start - before);
    const end = start + piece.length;
    tails.set(path, { end, bytes: Buffer.from(bytes.subarray(-length || bytes.length)) });
    return { size: end, isInPlace: true };
  };

  return {
    appendTrace: (job, start, piece, secrets = []) => {
      const path = tracePath(folders, job);
      const hidden = secrets.map((secret) => Buffer.from(secret));
      return inTurn(path, () => append(path, start, piece, hidden));
    },
    traceSize: (job) => sizeOf(tracePath(folders, job)),
    reopenTrace: async (job) => forget(tracePath(folders, job)),
    openTrace: (job, start = 0) => openToRead(tracePath(folders, job), start),
    removeTrace: (job) => {
      const path = tracePath(folders, job);
      return inTurn(path, async () => {
        forget(path);
        await rm(path, { force: true });
      });
    },
  };
}

const { O_RDWR: readWriteFlag, O_CREAT: createFlag } = files.constants;

/** Null when the file does not exist and is not to be created. */
async function openToAppend(path: string, isCreated: boolean): Promise<number | null> {
  const existing = await orMissing(openNumber(path, readWriteFlag));
  if (existing !== null || !isCreated) return existing;
  await mkdir(dirname(path), { recursive: true });
  return openNumber(path, readWriteFlag | createFlag, 0o600);
}

async function writeAll(file: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const left = bytes.length - done;
    const { bytesWritten } = await writeNumber(file, bytes, done, left, position + done);
    done += bytesWritten;
  }
}

const sizeOf = async (path: string): Promise<number> => (await orMissing(stat(path)))?.size ?? 0;

/** The file from byte `start` to its current end; later appends are not read. */
export async function openToRead(path: string, start = 0): Promise<OpenedFile | null> {
  const file = await orMissing(open(path, 'r'));
  if (!file) return null;
  try {
    const { size } = await file.stat();
    const left = Math.max(0, size - start);
    // a stream option cannot express an empty range
    const range = left === 0 ? { start: size } : { start, end: size - 1 };
    return { size: left, content: file.createReadStream(range) };
  } catch (error) {
    await file.close();
    throw error;
  }
}
