import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { isReceivedFile } from '../../schema/kernel/received-file.ts';
import type { UploadOwner } from '../../schema/ports/uploads.ts';
import { thisProcessIdentity } from '../../server/git/process/process-identity.ts';
import { localObjects } from '../../server/objects/local.ts';
import type { ObjectStore } from '../../server/objects/object-store.ts';
import { type Incoming, incomingFiles } from '../../server/uploads/incoming.ts';
import { settleMarks, uploadSettler } from '../../server/uploads/settle.ts';
import { uploadStore } from '../../server/uploads/store.ts';

const project: UploadOwner = { kind: 'project', id: 7 };
const anHour = 3_600_000;
const anHourAgo = () => new Date(Date.now() - anHour);

const folders: string[] = [];
let root = '';
let objects: ObjectStore;
let incoming: Incoming;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-uploads-'));
  folders.push(folder);
  root = join(folder, 'uploads');
  await mkdir(root);
  objects = localObjects(folder);
  incoming = incomingFiles(root);
});

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const receive = (content: string) =>
  incoming.receive('a.txt', Readable.from([Buffer.from(content)]));

const onItsWay = async () => {
  const names = await readdir(join(root, 'tmp'), { recursive: true });
  return names.filter((name) => name.includes('/') && !name.endsWith('/maker'));
};

const contentOf = async (owner: UploadOwner, key: string) => {
  const kept = await uploadStore(objects, incoming).open(owner, key);
  return kept && Buffer.concat(await kept.content.toArray()).toString();
};

describe('a received file', () => {
  test('is in a folder of this process until it is discarded', async () => {
    const file = await receive('text');
    expect(file).toEqual({ name: 'a.txt', size: 4, path: expect.stringContaining(root) });
    expect(isReceivedFile(file)).toBe(true);
    expect(isReceivedFile({ ...file })).toBe(false);
    expect(await readFile(file.path, 'utf8')).toBe('text');
    await incoming.discard(file);
    await incoming.discard(file);
    expect(await onItsWay()).toEqual([]);
    await incoming.close();
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
  });

  test('is stored even if the folder was deleted', async () => {
    await receive('text');
    await rm(join(root, 'tmp'), { recursive: true });
    const files = await Promise.all([receive('one'), receive('two')]);
    const texts = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
    expect(texts).toEqual(['one', 'two']);
    await rm(join(root, 'tmp'), { recursive: true });
    const mark = await incoming.mark(project, 'key');
    expect(await onItsWay()).toEqual([expect.stringContaining('project.7.key')]);
    await mark.erase();
    const [name = ''] = await readdir(join(root, 'tmp'));
    expect(await readFile(join(root, 'tmp', name, 'maker'), 'utf8')).toBe(
      await thisProcessIdentity(),
    );
  });

  test('is deleted if the transfer aborts', async () => {
    const broken = async function* () {
      yield Buffer.from('the beginning');
      throw new Error('gone');
    };
    await expect(incoming.receive('a.txt', broken())).rejects.toThrow('gone');
    expect(await onItsWay()).toEqual([]);
  });
});

describe('a stored file', () => {
  test('exists when its record is created, and can be read', async () => {
    const store = uploadStore(objects, incoming);
    const file = await receive('text');
    const stored = await store.keep(project, 'key', file, () => contentOf(project, 'key'));
    expect(stored).toBe('text');
    expect(await onItsWay()).toEqual([]);
    expect(await store.open(project, 'key')).toMatchObject({ size: 4, mediaType: null });
    expect(await store.open(project, 'other')).toBeNull();
    await store.remove(project, 'key');
    await store.removeAll(project);
    expect(await contentOf(project, 'key')).toBeNull();
  });

  test('is deleted if its record cannot be created', async () => {
    const store = uploadStore(objects, incoming);
    const refuse = () => Promise.reject(new Error('refused'));
    await expect(store.keep(project, 'key', await receive('text'), refuse)).rejects.toThrow(
      'refused',
    );
    expect(await contentOf(project, 'key')).toBeNull();
    expect(await onItsWay()).toEqual([]);
  });

  test('cannot have a path as its key', async () => {
    const store = uploadStore(objects, incoming);
    expect(() => store.open(project, '../8/key')).toThrow('bad key');
  });
});

describe('a start', () => {
  /** The files of a process that is killed while it stores two files and receives a third. */
  const killed = async (maker: string) => {
    const folder = join(root, 'tmp', 'left');
    await mkdir(folder, { recursive: true });
    await mkdir(join(root, 'projects', '7'), { recursive: true });
    await writeFile(join(folder, 'maker'), maker);
    await writeFile(join(folder, 'half'), 'half of a fi');
    for (const key of ['known', 'unknown']) {
      await writeFile(join(folder, `project.7.${key}`), '');
      await writeFile(join(root, 'projects', '7', key), key);
    }
    return folder;
  };
  const isKnown = async ({ kind, id }: UploadOwner, key: string) =>
    kind === 'project' && id === 7 && key === 'known';
  const settle = () => settleMarks(root, uploadSettler(objects, isKnown), anHourAgo());
  /** An identity of this machine with a pid that cannot exist. */
  const deadMaker = async () => (await thisProcessIdentity()).replace(/ \d+ \d+$/, ' 999999999 1');

  test('cleans up after a dead process', async () => {
    await killed(await deadMaker());
    await settle();
    expect(await onItsWay()).toEqual([]);
    expect(await readdir(join(root, 'projects', '7'))).toEqual(['known']);
  });

  test('keeps the files of a live process, however old', async () => {
    const file = await receive('text');
    await settle();
    expect(await readFile(file.path, 'utf8')).toBe('text');
    const old = new Date(Date.now() - 2 * anHour);
    await utimes(dirname(file.path), old, old);
    await settle();
    expect(await readFile(file.path, 'utf8')).toBe('text');
  });

  test('decides by age if it cannot check the process', async () => {
    const folder = await killed('another-machine 1 1');
    await settle();
    expect(await readdir(folder)).toContain('half');
    const old = new Date(Date.now() - 2 * anHour);
    await utimes(folder, old, old);
    await settle();
    expect(await onItsWay()).toEqual([]);
    expect(await readdir(join(root, 'projects', '7'))).toEqual(['known']);
  });

  test('settles the others if one cannot be', async () => {
    const folder = await killed(await deadMaker());
    const settled: string[] = [];
    const settleOthers = (_owner: UploadOwner, key: string) =>
      settled.push(key) === 1 ? Promise.reject(new Error('stuck')) : Promise.resolve();
    await expect(settleMarks(root, settleOthers, anHourAgo())).rejects.toThrow('stuck');
    expect(settled.length).toBeGreaterThan(1);
    expect(await readdir(folder)).toContain('half');
    await settle();
    expect(await onItsWay()).toEqual([]);
  });

  test('works without any uploads', async () => {
    await settle();
    expect(await readdir(root)).toEqual([]);
  });
});
