import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { localObjects } from '../../server/objects/local.ts';
import type { ObjectStore } from '../../server/objects/object-store.ts';
import { ciOf } from '../support/ci.ts';
import { type Client, clientOf } from '../support/client.ts';
import { commandsOf } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';
import { formOf } from '../support/form.ts';
import { freePort } from '../support/free-port.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { objectVariables, startObjectStore } from '../support/object-store.ts';
import { rootToken, startProcess } from '../support/process.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../support/runner-jobs.ts';
import { world } from '../support/world.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-moves-'));
const store = await startObjectStore(join(folder, 'store'));
const toStore = objectVariables(store.port, 'moves');
const toFolder = objectVariables(store.port, 'moves', '&writes=local');
const testWorld = await world({ variables: toStore, isOneProcess: true });
const { as, seed, root, url, db, databaseUrl, dataFolder } = testWorld;
const service = { DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder };
const s3 = store.objects('moves');
const local = localObjects(dataFolder);
const ci = await ciOf(testWorld);
const hold = await jobAssigner(testWorld, ci);
const runner = jobClient(url);
afterAll(async () => {
  await store.kill();
  await rm(folder, { recursive: true });
});

await seed.group('acme');
const app = await projectWithJobs(testWorld, ci, 'acme/app', 'unit: { script: make }\n');

const keysIn = async (objects: ObjectStore, prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix)) {
    if (!key.includes('/tmp/')) keys.push(key);
  }
  return keys;
};

/** Uploads a text; gives the path of the page that shows it, or null if it was not acknowledged. */
async function upload(client: Client, content: string): Promise<string | null> {
  const body = formOf({ file: { name: 'a.txt', content } });
  const response = await client
    .fetch(`/projects/${app.id}/uploads`, { method: 'POST', body })
    .catch(() => null);
  if (response?.status !== 201) return null;
  return ((await response.json()) as { url: string }).url;
}

const contentAt = async (server: string, path: string) => {
  const response = await fetch(`${server}/acme/app${path}`, {
    headers: { 'Private-Token': root.token },
  });
  return response.status === 200 ? response.text() : response.status;
};

describe('millrace objects move', () => {
  test('needs a second place', async () => {
    const { run } = commandsOf(service);
    expect(await run(['objects', 'move'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('MILLRACE_OBJECTS is not set'),
    });
  });

  test('moves files while they are read and replaced, continues after a kill, and moves them back', async () => {
    // a server of before
    const before = await startProcess(await freePort(), service);
    const uploads = new Map<string, string>();
    for (let number = 0; number < 30; number += 1) {
      const path = await upload(clientOf(before.url, root.token), `text ${number}`);
      if (path !== null) uploads.set(path, `text ${number}`);
    }
    await before.kill('SIGTERM');
    const done = await hold(await app.pipeline(), 'unit');
    const files = jobFilesOf(testWorld);
    const place = { id: done.id, projectId: app.id };
    const archive = await files.artifacts(place, { report: 'all is well' });
    const job = await hold(await app.pipeline(), 'unit');

    let isMoving = true;
    const missing: string[] = [];
    const read = async () => {
      while (isMoving) {
        for (const [path, text] of uploads) {
          if ((await contentAt(url, path)) !== text) missing.push(path);
        }
      }
    };
    let latest = '';
    const replace = async () => {
      for (let number = 0; isMoving; number += 1) {
        const content = `archive ${number}`;
        const file = new File([content], 'out.zip');
        const { status } = await runner.leave(job, { file });
        if (status === 201) latest = content;
        const stored = await (await runner.fetch(job)).text();
        if (stored !== latest) missing.push(`${latest}, not ${stored}`);
      }
    };
    const busy = [read(), replace()];
    const commands = commandsOf({ ...service, ...toStore });
    const cut = commands.start(['objects', 'move']);
    await expect.poll(() => keysIn(s3, 'uploads/')).not.toEqual([]);
    cut.child.kill('SIGKILL');
    await cut.result;
    const rows = (await commands.json(['objects', 'move'])) as object[];
    expect(rows).toMatchObject([
      { kind: 'uploads', to: 's3', left: 0 },
      { kind: 'artifacts', to: 's3', left: 0 },
      { kind: 'traces', to: 's3' },
      { kind: 'lfs', to: 's3' },
    ]);
    expect(await keysIn(local, 'uploads/')).toEqual([]);
    expect(await keysIn(s3, 'uploads/')).toHaveLength(30);
    expect(Buffer.from(await (await runner.fetch(done)).arrayBuffer())).toEqual(archive);

    const back = commandsOf({ ...service, ...toFolder });
    expect(await back.json(['objects', 'move'])).toMatchObject([
      { kind: 'uploads', to: 'local', moved: 30, left: 0 },
      { kind: 'artifacts', to: 'local' },
      { kind: 'traces', to: 'local' },
      { kind: 'lfs', to: 'local' },
    ]);
    isMoving = false;
    await Promise.all(busy);
    expect(missing).toEqual([]);
    expect(await keysIn(local, 'uploads/')).toHaveLength(30);
    expect(await keysIn(s3, 'uploads/')).toEqual([]);
    expect(Buffer.from(await (await runner.fetch(done)).arrayBuffer())).toEqual(archive);
    expect(await (await runner.fetch(job)).text()).toBe(latest);
  });

  test('leaves files without a record', async () => {
    const unknown = { id: 2 ** 31 - 1, projectId: app.id };
    const { json } = commandsOf({ ...service, ...toStore });
    await jobFilesOf({ ...testWorld, db: { job: { update: async () => {} } } as never }).artifacts(
      unknown,
      { report: 'unknown' },
    );
    expect(await json(['objects', 'move'])).toContainEqual(
      expect.objectContaining({ kind: 'artifacts', left: 1 }),
    );
  });
});

describe('kill -9 during uploads into the store', () => {
  test('loses no acknowledged file, and leaves none without a record', async () => {
    const variables = { ...service, ...toStore };
    const killed = await startProcess(await freePort(), variables);
    const acknowledged = new Map<string, string>();
    let isKilled = false;
    const client = clientOf(killed.url, rootToken);
    const send = async (sender: number) => {
      for (let number = 0; !isKilled; number += 1) {
        const content = `sender ${sender}, file ${number}`;
        const path = await upload(client, content);
        if (path !== null) acknowledged.set(path, content);
      }
    };
    const senders = [1, 2, 3, 4].map(send);
    await expect.poll(() => acknowledged.size).toBeGreaterThan(40);
    await killed.kill('SIGKILL', 'group');
    isKilled = true;
    await Promise.all(senders);

    const server = await startProcess(await freePort(), variables);
    const lost = [];
    for (const [path, content] of acknowledged) {
      if ((await contentAt(server.url, path)) !== content) lost.push(path);
    }
    expect(lost).toEqual([]);
    const recorded = async () =>
      (await db.upload.findMany()).map(
        ({ projectId, secret }) => `uploads/projects/${projectId}/${secret}`,
      );
    const stored = async () => [
      ...(await keysIn(s3, 'uploads/')),
      ...(await keysIn(local, 'uploads/')),
    ];
    await expect
      .poll(async () => (await stored()).toSorted())
      .toEqual((await recorded()).toSorted());
    await server.kill('SIGTERM');
  });
});

describe('a backup of a service with an object store', () => {
  test('has the files of both places, and is restored beside an empty store only', async () => {
    const path = (await upload(as(root), 'kept')) ?? '';
    const { json } = commandsOf({ ...service, ...toStore });
    const { file } = (await json(['backup', 'create', '--with-secrets', '--to', folder])) as {
      file: string;
    };
    const database = await cloneDatabase(databaseUrl, 'template0');
    const restored = { DATABASE_URL: database.url, MILLRACE_DATA: join(folder, 'restored') };
    const refused = await commandsOf({ ...restored, ...toStore }).run(['backup', 'restore', file]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The object store is not empty'),
    });
    const empty = { ...restored, ...objectVariables(store.port, 'restored') };
    const commands = commandsOf(empty);
    const findings = (await commands.json(['backup', 'restore', file])) as { result: string }[];
    expect(findings.filter(({ result }) => result === 'error')).toEqual([]);
    await commands.json(['objects', 'move']);
    const server = await startProcess(await freePort(), empty);
    expect(await contentAt(server.url, path)).toBe('kept');
    await server.kill('SIGTERM');
    await database.drop();
  });
});
