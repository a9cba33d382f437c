import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lfsKey } from '../../../server/lfs/paths.ts';
import { commandsOf } from '../../support/commands.ts';
import { lfsClient, randomContent } from '../../support/lfs.ts';
import { objectVariables, startObjectStore } from '../../support/object-store.ts';
import { world } from '../../support/world.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-lfs-objects-'));
let store = await startObjectStore(join(folder, 'store'));
const variables = objectVariables(store.port, 'service');
const s3 = store.objects('service');
const { seed, root, url, db, databaseUrl, dataFolder } = await world({
  variables,
  isOneProcess: true,
});
const { actionOf, batch, upload, put, get, authorizationOf } = lfsClient(url);
afterAll(async () => {
  await store.kill();
  await rm(folder, { recursive: true });
});

await seed.group('acme', {});
await seed.project('acme/app', {});

/** Longer than a part of an upload in parts. */
const large = randomContent(20 * 2 ** 20);

test('objects are stored in the store, and downloaded from it', async () => {
  for (const content of [randomContent(1_000), large]) {
    expect(await upload(root, 'acme/app', content)).toBe(200);
    expect(await s3.size(lfsKey(content.oid))).toBe(content.size);
    const action = await actionOf(root, 'acme/app', 'download', content);
    expect(URL.parse(action.href)?.port).toBe(String(store.port));
    expect([action.header, action.expires_in]).toEqual([undefined, 600]);
    expect(Buffer.from(await (await get(action)).arrayBuffer())).toEqual(content.bytes);
    const part = await get(action, { Range: 'bytes=10-19' });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
      206,
      content.bytes.subarray(10, 20),
    ]);
  }
});

test('Millrace also sends them itself, and parts of them', async () => {
  const href = `${url}/acme/app.git/gitlab-lfs/objects/${large.oid}`;
  const action = { href, header: authorizationOf(root) };
  expect(Buffer.from(await (await get(action)).arrayBuffer())).toEqual(large.bytes);
  const part = await get(action, { Range: 'bytes=20000000-' });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
    206,
    large.bytes.subarray(20_000_000),
  ]);
});

test('an object that another project has already is not stored again', async () => {
  await seed.project('acme/second', {});
  expect(await upload(root, 'acme/second', large)).toBe(200);
  const { id } = await db.lfsObject.findUniqueOrThrow({ where: { oid: large.oid } });
  expect(await db.projectLfsObject.count({ where: { objectId: id } })).toBe(2);
});

test('a wrong content is not stored', async () => {
  const [content, wrong] = [randomContent(100), randomContent(100)];
  const action = await actionOf(root, 'acme/app', 'upload', content);
  expect((await put(action, wrong.bytes)).status).toBe(422);
  expect(await s3.size(lfsKey(content.oid))).toBeNull();
});

test('objects move to the data folder and back', async () => {
  const content = randomContent(1_000);
  expect(await upload(root, 'acme/app', content)).toBe(200);
  const toLocal = objectVariables(store.port, 'service', '&writes=local');
  const moved = async (settings: Record<string, string>) => {
    const { json } = commandsOf({
      ...settings,
      DATABASE_URL: databaseUrl,
      MILLRACE_DATA: dataFolder,
    });
    const rows = (await json(['objects', 'move'])) as { kind: string }[];
    return rows.find(({ kind }) => kind === 'lfs');
  };
  const count = await db.lfsObject.count();
  expect(await moved(toLocal)).toMatchObject({ to: 'local', moved: count, left: 0 });
  expect(await s3.size(lfsKey(content.oid))).toBeNull();
  const action = await actionOf(root, 'acme/app', 'download', content);
  expect(URL.parse(action.href)?.origin).toBe(url);
  expect(Buffer.from(await (await get(action)).arrayBuffer())).toEqual(content.bytes);
  expect(await moved(variables)).toMatchObject({ to: 's3', moved: count, left: 0 });
  expect(await s3.size(lfsKey(content.oid))).toBe(content.size);
});

test('while the store is down, transfers fail with 503, and work afterwards', async () => {
  const content = randomContent(1_000);
  const action = await actionOf(root, 'acme/app', 'upload', content);
  await store.kill();
  expect((await put(action, content.bytes)).status).toBe(503);
  expect(await batch(root, 'acme/app', 'download', [large])).toMatchObject({
    status: 503,
    body: { message: 'The object store is not available' },
  });
  store = await store.startAgain();
  expect((await put(action, content.bytes)).status).toBe(200);
});
