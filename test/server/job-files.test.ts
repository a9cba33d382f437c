import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobFiles, OpenedFile } from '../../schema/ports/job-files.ts';
import type { SettledArtifacts } from '../../server/job-files/artifacts.ts';
import { jobFiles } from '../../server/job-files/job-files.ts';
import {
  artifactsKey,
  type JobFolders,
  jobFolders,
  tracePath,
} from '../../server/job-files/paths.ts';
import { artifactsSettler, type WhileRecorded } from '../../server/job-files/settle.ts';
import { localPlaces } from '../../server/objects/places.ts';
import { type Incoming, incomingFiles } from '../../server/uploads/incoming.ts';
import { settleMarks } from '../../server/uploads/settle.ts';

const job = { id: 1234, projectId: 7 };
const secret = 'abcdefghij';
const hidden = 'x'.repeat(secret.length);

const roots: string[] = [];
let folders: JobFolders;
let incoming: Incoming;
let files: JobFiles & SettledArtifacts;
/** The same files as seen by another process. */
let otherProcess: JobFiles & SettledArtifacts;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'millrace-job-files-'));
  roots.push(root);
  folders = jobFolders(root);
  incoming = incomingFiles(folders.artifacts);
  const places = localPlaces(root);
  files = jobFiles({ folders, places, incoming });
  const otherIncoming = incomingFiles(folders.artifacts);
  otherProcess = jobFiles({ folders, places, incoming: otherIncoming });
});

afterAll(async () => {
  for (const root of roots) await rm(root, { recursive: true });
});

const append = (start: number, piece: string, by: JobFiles = files, secrets = [secret]) =>
  by.appendTrace(job, start, Buffer.from(piece), secrets);
const contentOf = async (opened: OpenedFile | null) => opened && (await text(opened.content));
const trace = async (start?: number) => contentOf(await files.openTrace(job, start));

describe('a trace', () => {
  test('is stored in a folder with some hundred others', async () => {
    await append(0, 'one');
    expect(tracePath(folders, job)).toBe(join(folders.traces, '7', '1', '1234.log'));
    expect(await readFile(tracePath(folders, job), 'utf8')).toBe('one');
  });

  test('does not exist before its first chunk', async () => {
    expect(await files.openTrace(job)).toBeNull();
    expect(await files.traceSize(job)).toBe(0);
    expect(await append(1, 'two')).toEqual({ size: 0, isInPlace: false });
    expect(await files.openTrace(job)).toBeNull();
    expect(await append(0, '')).toEqual({ size: 0, isInPlace: true });
    expect(await trace()).toBe('');
  });

  test('can be read from any offset to the end', async () => {
    await append(0, 'one two');
    const opened = await files.openTrace(job, 4);
    expect(opened?.size).toBe(3);
    opened?.content.destroy();
    expect(await trace(4)).toBe('two');
    expect(await trace(7)).toBe('');
    expect(await trace(100)).toBe('');
  });

  test('can be appended to by several processes', async () => {
    expect(await append(0, 'one ')).toEqual({ size: 4, isInPlace: true });
    expect(await append(4, 'two ', otherProcess)).toEqual({ size: 8, isInPlace: true });
    expect(await append(4, 'two ')).toEqual({ size: 8, isInPlace: false });
    expect(await append(8, 'three')).toEqual({ size: 13, isInPlace: true });
    expect(await trace()).toBe('one two three');
  });

  test('starts again after deletion', async () => {
    await append(0, 'one');
    await files.removeTrace(job);
    await files.removeTrace(job);
    expect(await files.openTrace(job)).toBeNull();
    expect(await append(3, 'two')).toEqual({ size: 0, isInPlace: false });
    expect(await append(0, 'two')).toEqual({ size: 3, isInPlace: true });
  });

  test('continues after a chunk that a kill truncated', async () => {
    await append(0, 'one ');
    await writeFile(tracePath(folders, job), 'one tw');
    expect(await append(4, 'two ', otherProcess)).toEqual({ size: 6, isInPlace: false });
    expect(await append(6, 'o ', otherProcess)).toEqual({ size: 8, isInPlace: true });
    expect(await trace()).toBe('one two ');
  });

  test('masks secrets across chunks and processes', async () => {
    for (let at = 1; at < secret.length; at += 1) {
      const place = { ...job, id: at };
      const [head, tail] = [Buffer.from(`a ${secret.slice(0, at)}`), secret.slice(at)];
      await files.appendTrace(place, 0, head, [secret]);
      const by = at % 2 === 0 ? files : otherProcess;
      await by.appendTrace(place, head.length, Buffer.from(`${tail} b ${secret}`), [secret, '']);
      expect(await contentOf(await files.openTrace(place))).toBe(`a ${hidden} b ${hidden}`);
    }
    await append(0, `${secret.slice(0, 5)}\n${secret.slice(5)}`);
    expect(await trace()).toBe('abcde\nfghij');
  });
});

describe('artifacts', () => {
  const receive = (content: string) =>
    incoming.receive('artifacts.zip', Readable.from([Buffer.from(content)]));
  const keep = async (content: string, commit = async () => content.length) => {
    const before = (await storedContent())?.length ?? null;
    let recorded = before;
    return files.keepArtifacts(job, await receive(content), {
      commit: async (move) => {
        await move(before);
        await move(before);
        const result = await commit();
        recorded = content.length;
        return result;
      },
      whileRecorded: (work) => work(recorded),
    });
  };
  const storedContent = async () => contentOf(await files.openArtifacts(job));
  const leftovers = async () =>
    (await readdir(folders.artifacts, { recursive: true })).filter((name) =>
      /\.zip|project/.test(name),
    );
  const failing = async () => {
    throw new Error('refused');
  };

  test('replace earlier artifacts together with their record', async () => {
    expect(await keep('one')).toBe(3);
    expect(await keep('three')).toBe(5);
    expect(await storedContent()).toBe('three');
    expect(await leftovers()).toEqual(['7/1/1234.zip']);
  });

  test('are discarded without their record, and earlier ones remain', async () => {
    await expect(keep('one', failing)).rejects.toThrow('refused');
    expect(await storedContent()).toBeNull();
    await keep('one');
    await expect(keep('three', failing)).rejects.toThrow('refused');
    expect(await storedContent()).toBe('one');
    expect(await leftovers()).toEqual(['7/1/1234.zip']);
  });

  /** The files of a process that is killed while it stores an archive. */
  const killed = async (archives: { readonly now?: string; readonly before?: string }) => {
    const place = join(dirname(folders.artifacts), artifactsKey(job));
    await mkdir(dirname(place), { recursive: true });
    if (archives.now !== undefined) await writeFile(place, archives.now);
    if (archives.before !== undefined) await writeFile(`${place}.before`, archives.before);
    const tmp = join(folders.artifacts, 'tmp', 'left');
    await mkdir(tmp, { recursive: true });
    await writeFile(join(tmp, 'maker'), 'unknown 1 1');
    await writeFile(join(tmp, `project.${job.projectId}.${job.id}`), '');
  };
  const settleArtifacts = (sizeOf: () => Promise<number | null>, olderThan: Date) => {
    const whileRecorded: WhileRecorded = async (_job, work) => work(await sizeOf());
    return settleMarks(folders.artifacts, artifactsSettler(files, whileRecorded), olderThan);
  };
  const soon = () => new Date(Date.now() + 3_600_000);

  test.each([
    ['is deleted without a record', { now: 'one' }, null, null],
    ['is kept with its record', { now: 'one' }, 3, 'one'],
    ['is kept with its record', { now: 'one', before: 'three' }, 3, 'one'],
    ['is deleted in favour of the previous one', { now: 'one', before: 'three' }, 5, 'three'],
    ['is deleted in favour of the previous one', { before: 'three' }, 5, 'three'],
    ['is deleted with the previous one, without a record', { before: 'three' }, null, null],
    ['is deleted with the previous one', { now: 'one', before: 'three' }, null, null],
    ['is nothing', {}, null, null],
  ])('one that a killed process left %s: %o', async (_text, archives, size, content) => {
    await killed(archives);
    await settleArtifacts(async () => size, soon());
    expect(await storedContent()).toBe(content);
    expect(await leftovers()).toEqual(content === null ? [] : ['7/1/1234.zip']);
    await settleArtifacts(failing, soon());
  });

  test('of possibly live processes are kept', async () => {
    await killed({ now: 'one' });
    await settleArtifacts(failing, new Date(Date.now() - 3_600_000));
    expect(await storedContent()).toBe('one');
  });

  test('are deleted with their project', async () => {
    await keep('one');
    await append(0, 'one');
    await files.removeAll(job.projectId);
    await files.removeAll(job.projectId);
    expect(await storedContent()).toBeNull();
    expect(await trace()).toBeNull();
  });
});
