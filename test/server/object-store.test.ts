import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { localObjects } from '../../server/objects/local.ts';
import type { ObjectStore } from '../../server/objects/object-store.ts';
import { twoPlaces } from '../../server/objects/two-places.ts';
import { startObjectStore } from '../support/object-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-objects-'));
const store = await startObjectStore(join(folder, 'swift'));
const s3 = store.objects('one', { partSize: 5 * 2 ** 20 });
afterAll(async () => {
  await store.kill();
  await rm(folder, { recursive: true });
});

let files = 0;
async function fileOf(content: Buffer | string): Promise<string> {
  files += 1;
  const path = join(folder, `file-${files}`);
  await writeFile(path, content);
  return path;
}

const contentOf = async (objects: ObjectStore, key: string, start?: number, end?: number) => {
  const reader = await objects.open(key);
  return reader && (await buffer(reader.stream(start, end))).toString('latin1');
};
const keysOf = async (objects: ObjectStore, prefix: string, after?: string) => {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix, after)) keys.push(key);
  return keys;
};

const places: readonly (readonly [string, () => ObjectStore])[] = [
  ['the data folder', () => localObjects(join(folder, 'local'))],
  ['an S3-compatible store', () => s3],
  ['both', () => twoPlaces(store.objects('both'), localObjects(join(folder, 'both')))],
];

describe.each(places)('%s', (_name, open) => {
  const objects = open();

  test('stores a file under its key and replaces it', async () => {
    await objects.put('uploads/projects/1/a', await fileOf('first'));
    expect(await contentOf(objects, 'uploads/projects/1/a')).toBe('first');
    await objects.put('uploads/projects/1/a', await fileOf('second one'));
    expect(await contentOf(objects, 'uploads/projects/1/a')).toBe('second one');
    expect(await objects.size('uploads/projects/1/a')).toBe(10);
  });

  test('has no object before the staged file is completed', async () => {
    const staged = await objects.stage('uploads/projects/1/b', await fileOf('staged'));
    expect(await objects.open('uploads/projects/1/b')).toBeNull();
    await staged.complete();
    expect(await contentOf(objects, 'uploads/projects/1/b')).toBe('staged');
    const given = await objects.stage('uploads/projects/1/c', await fileOf('given up'));
    await given.abandon();
    expect(await objects.size('uploads/projects/1/c')).toBeNull();
  });

  test('reads any range, and none of an empty object', async () => {
    const bytes = randomBytes(200_000);
    await objects.put('uploads/projects/1/range', await fileOf(bytes));
    const text = bytes.toString('latin1');
    expect(await contentOf(objects, 'uploads/projects/1/range', 100)).toBe(text.slice(100));
    expect(await contentOf(objects, 'uploads/projects/1/range', 60_000, 150_000)).toBe(
      text.slice(60_000, 150_000),
    );
    expect(await contentOf(objects, 'uploads/projects/1/range', 200_000)).toBe('');
    const reader = await objects.open('uploads/projects/1/range');
    expect((await reader?.read(199_990, 100))?.toString('latin1')).toBe(text.slice(199_990));
    expect((await reader?.read(65_530, 20))?.toString('latin1')).toBe(text.slice(65_530, 65_550));
    await reader?.close();
    await objects.put('uploads/projects/1/empty', await fileOf(''));
    expect(await contentOf(objects, 'uploads/projects/1/empty')).toBe('');
    expect(await objects.size('uploads/projects/1/empty')).toBe(0);
  });

  test('copies an object over another one', async () => {
    await objects.put('artifacts/1/0/1.zip', await fileOf('archive'));
    await objects.put('artifacts/1/0/2.zip', await fileOf('other'));
    expect(await objects.copy('artifacts/1/0/1.zip', 'artifacts/1/0/2.zip')).toBe(true);
    expect(await contentOf(objects, 'artifacts/1/0/2.zip')).toBe('archive');
    expect(await objects.copy('artifacts/1/0/3.zip', 'artifacts/1/0/2.zip')).toBe(false);
    expect(await contentOf(objects, 'artifacts/1/0/2.zip')).toBe('archive');
  });

  test('lists objects in the order of their keys, from any of them on', async () => {
    const keys = [
      'traces/1/0/1.log',
      'traces/1/0/10.log',
      'traces/1/1/1000.log',
      'traces/12/0/2.log',
    ];
    for (const key of keys.toReversed()) await objects.put(key, await fileOf(key));
    expect(await keysOf(objects, 'traces/')).toEqual(keys);
    expect(await keysOf(objects, 'traces/', 'traces/1/0/10.log')).toEqual(keys.slice(2));
    expect(await keysOf(objects, 'traces/1/')).toEqual(keys.slice(0, 3));
    for await (const { key, stats } of objects.list('traces/')) {
      expect(await stats()).toEqual({ size: key.length, changedAt: expect.any(Date) });
    }
  });

  test('removes an object, a missing one, and all of a prefix', async () => {
    await objects.put('uploads/groups/1/a', await fileOf('a'));
    await objects.remove('uploads/groups/1/a');
    await objects.remove('uploads/groups/1/a');
    expect(await objects.open('uploads/groups/1/a')).toBeNull();
    for (const key of ['2/a', '2/b', '22/a'])
      await objects.put(`uploads/groups/${key}`, await fileOf(key));
    await objects.removeAll('uploads/groups/2/');
    expect(await keysOf(objects, 'uploads/groups/')).toEqual(['uploads/groups/22/a']);
  });
});

describe('an object of an S3-compatible store', () => {
  const large = randomBytes(12 * 2 ** 20);

  test('gets large files in parts, which exist together or not at all', async () => {
    const staged = await s3.stage('artifacts/9/0/1.zip', await fileOf(large));
    expect(await s3.size('artifacts/9/0/1.zip')).toBeNull();
    await staged.complete();
    expect(await s3.size('artifacts/9/0/1.zip')).toBe(large.length);
    expect(await contentOf(s3, 'artifacts/9/0/1.zip')).toBe(large.toString('latin1'));
  });

  test('copies large objects in parts', async () => {
    const small = store.objects('one', { copySize: 5 * 2 ** 20 });
    expect(await small.copy('artifacts/9/0/1.zip', 'artifacts/9/0/2.zip')).toBe(true);
    expect(await contentOf(s3, 'artifacts/9/0/2.zip')).toBe(large.toString('latin1'));
  });

  test('gives up uploads in parts whose process was killed', async () => {
    const staged = await s3.stage('artifacts/9/0/3.zip', await fileOf(large));
    await s3.abandonUploads(new Date(Date.now() - 60_000));
    await s3.abandonUploads(new Date(Date.now() + 60_000));
    await expect(staged.complete()).rejects.toThrow('the object store failed');
    expect(await s3.size('artifacts/9/0/3.zip')).toBeNull();
  });

  test('gives URLs for downloads, with the name of the file', async () => {
    const url = await s3.downloadUrl('artifacts/9/0/1.zip', {
      name: 'naïve "name".zip',
      mediaType: 'application/octet-stream',
    });
    const response = await fetch(url ?? '');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''na%C3%AFve");
    expect(large.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    const forged = (url ?? '').replace('1.zip', '2.zip');
    expect((await fetch(forged)).status).toBe(403);
    const none = { name: 'none', mediaType: 'text/plain' };
    expect(await s3.downloadUrl('artifacts/9/0/99.zip', none)).toBeNull();
  });
});
