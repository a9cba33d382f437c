import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { commandsOf } from '../../support/commands.ts';
import { startHangingStore } from '../../support/hanging-store.ts';
import { lfsClient, randomContent } from '../../support/lfs.ts';
import { objectVariables } from '../../support/object-store.ts';
import { world } from '../../support/world.ts';

const store = await startHangingStore();
const silent = await startHangingStore();
silent.mode = 'is silent';
const folder = await mkdtemp(join(tmpdir(), 'millrace-hanging-'));
const { as, seed, root, url, db, databaseUrl, dataFolder } = await world({
  variables: objectVariables(store.port, 'service', '&downloads=proxy'),
  limits: { objectStoreWait: 1_500 },
  isOneProcess: true,
});
afterAll(async () => {
  store.close();
  silent.close();
  await rm(folder, { recursive: true });
});

const { id } = await seed.project('root/app', {});
await seed.push('root/app', { '.gitlab-ci.yml': 'unit: { script: test }' });
const lfs = lfsClient(url);
const small = randomContent(1_000);
const large = randomContent(200_000);

/** Waits no longer than a request of a user may, however often it is tried. */
const patient = { timeout: 40_000 };

const upload = (size = 100) => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(size)], 'file.bin'));
  return as(root).fetch(`/projects/${id}/uploads`, { method: 'POST', body: form });
};
const uploaded = (await (await upload()).json()) as { readonly url: string };
for (const content of [small, large]) await lfs.upload(root, 'root/app', content);
const job = await vi.waitFor(() => db.job.findFirstOrThrow(), 10_000);
await db.job.update({
  where: { id: job.id },
  data: { artifactsFile: 'artifacts.zip', artifactsSize: 3, traceSize: 10, status: 'success' },
});

const fresh = randomContent(500);
const place = await lfs.actionOf(root, 'root/app', 'upload', fresh);

const download = (oid: string) =>
  fetch(`${url}/root/app.git/gitlab-lfs/objects/${oid}`, {
    headers: lfs.authorizationOf(root),
  });

/** Requests that need the store, by what they do. */
const requests = {
  upload: () => upload(),
  'upload in parts': () => upload(9 * 2 ** 20),
  download: () =>
    fetch(`${url}/root/app${uploaded.url}`, { headers: { 'Private-Token': root.token } }),
  artifacts: () => as(root).fetch(`/projects/${id}/jobs/${job.id}/artifacts`),
  trace: () => as(root).fetch(`/projects/${id}/jobs/${job.id}/trace`),
  'LFS download': () => download(small.oid),
  'LFS download of much': () => download(large.oid),
  'LFS upload': () => lfs.put(place, fresh.bytes),
};

const { run } = commandsOf({
  ...objectVariables(silent.port, 'service'),
  DATABASE_URL: databaseUrl,
  MILLRACE_DATA: dataFolder,
});
// each waits as long as a request in production
const doctor = run(['doctor', '--json']);
const backup = run(['backup', 'create', '--to', folder]);

test('a store that works has all of them', async () => {
  for (const name of ['upload', 'download', 'LFS download', 'LFS download of much'] as const) {
    const response = await requests[name]();
    expect([name, response.ok]).toEqual([name, true]);
    await response.arrayBuffer();
  }
});

describe.each(['is silent', 'stops after headers', 'trickles'] as const)(
  'a store that %s',
  (mode) => {
    test(
      'costs each request that needs it one limited wait, and the others nothing',
      patient,
      async () => {
        store.mode = mode;
        const many = Array.from({ length: 3 }, () => Object.entries(requests)).flat();
        const waiting = many.map(async ([name, send]) => {
          const response = await send();
          await response.arrayBuffer();
          return [name, response.status, response.headers.get('Retry-After')];
        });
        // connections of the database are not held by those that wait
        for (let count = 0; count < 5; count += 1)
          expect((await as(root).get('/projects')).status).toBe(200);
        const answers = await Promise.all(waiting);
        expect(answers).toEqual(many.map(([name]) => [name, 503, '10']));
      },
    );

    test('is used again as soon as it works', async () => {
      store.mode = 'works';
      await expect.poll(async () => (await upload()).status).toBe(201);
      expect((await download(small.oid)).status).toBe(200);
    });
  },
);

test('doctor and backup say that the store does not respond', { timeout: 60_000 }, async () => {
  const { code, stdout } = await doctor;
  const rows = JSON.parse(stdout) as { check: string; result: string; problem: string }[];
  const [found] = rows.filter(({ check }) => check === 'object store');
  expect([code, found]).toEqual([
    1,
    expect.objectContaining({
      result: 'error',
      problem: expect.stringContaining('it did not respond within 20 s'),
    }),
  ]);
  const { code: failed, stderr } = await backup;
  expect([failed, stderr]).toEqual([
    1,
    expect.stringContaining('the object store failed: it did not respond within 20 s'),
  ]);
  expect(await readdir(folder)).toEqual([]);
});
