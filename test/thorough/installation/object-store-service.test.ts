import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { artifactsKey, traceKey } from '../../../server/job-files/paths.ts';
import { ciOf } from '../../support/ci.ts';
import { commandsOf } from '../../support/commands.ts';
import { cloneDatabase } from '../../support/database.ts';
import { formOf, png } from '../../support/form.ts';
import { freePort } from '../../support/free-port.ts';
import { zipOf } from '../../support/job-files.ts';
import { objectVariables, startObjectStore } from '../../support/object-store.ts';
import { startProcess } from '../../support/process.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../../support/runner-jobs.ts';
import { visitorAt } from '../../support/visitor.ts';
import { world } from '../../support/world.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-objects-'));
let store = await startObjectStore(join(folder, 'store'));
const variables = objectVariables(store.port, 'service');
const s3 = store.objects('service');
const testWorld = await world({ variables, isOneProcess: true });
const { as, seed, root, url, db, databaseUrl, dataFolder } = testWorld;
const { json } = commandsOf({ ...variables, DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
const ci = await ciOf(testWorld);
const hold = await jobAssigner(testWorld, ci);
const runner = jobClient(url);
afterAll(async () => {
  await store.kill();
  await rm(folder, { recursive: true });
});

await seed.group('acme');
const app = await projectWithJobs(testWorld, ci, 'acme/app', 'unit: { script: make }\n');
const archive = await zipOf({ 'out/report.txt': 'all is well\n' });
const other = await zipOf({ 'out/report.txt': 'all is better\n' });
const fileOf = (content: Buffer) => new File([new Uint8Array(content)], 'out.zip');

async function running() {
  const pipelineId = await app.pipeline();
  return { ...(await hold(pipelineId, 'unit')), pipelineId, projectId: app.id };
}
const sentTo = async (response: Response) => ({
  status: response.status,
  host: URL.parse(response.headers.get('Location') ?? '')?.port ?? null,
});
const redirected = { status: 302, host: String(store.port) };
const sentByUs = { status: 200, host: null };

describe('uploads', () => {
  test('are in the store, and sent by Millrace with its own headers', async () => {
    const body = formOf({ file: { name: 'dk.png', content: png() } });
    const response = await as(root).fetch(`/projects/${app.id}/uploads`, { method: 'POST', body });
    const { url: path } = (await response.json()) as { url: string };
    const [secret = ''] = /[0-9a-f]{32}/.exec(path) ?? [];
    expect(await s3.size(`uploads/projects/${app.id}/${secret}`)).toBe(png().length);
    const image = await fetch(`${url}/acme/app${path}`, {
      headers: { 'Private-Token': root.token },
    });
    expect(image.headers.get('Content-Type')).toBe('image/png');
    expect(image.headers.get('Content-Security-Policy')).toContain('sandbox');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(Buffer.from(png()));
  });
});

describe('artifacts', () => {
  test('are replaced in the store, where nothing of the former ones stays', async () => {
    const job = await running();
    await runner.leave(job, { file: fileOf(archive) });
    expect(await runner.leave(job, { file: fileOf(other) })).toMatchObject({ status: 201 });
    expect(await s3.size(artifactsKey(job))).toBe(other.length);
    expect(await s3.size(`${artifactsKey(job)}.before`)).toBeNull();
    const response = await runner.fetch(job);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(other);
  });

  test('a client is redirected to the store if it does not forward its token there', async () => {
    const job = await running();
    await runner.leave(job, { file: fileOf(archive) });
    await ci.move(job.pipelineId, 'unit', 'success');
    const path = `/projects/${app.id}/jobs/${job.id}/artifacts`;
    const get = async (query: string, init: RequestInit = {}) =>
      sentTo(await as(null).fetch(`${path}${query}`, init));
    const ofHeader = { headers: { 'Private-Token': root.token } };
    expect(await get('', ofHeader)).toEqual(sentByUs);
    expect(await get('?direct_download=true', ofHeader)).toEqual(redirected);
    expect(await get('', { ...ofHeader, method: 'HEAD' })).toEqual(sentByUs);
    const bearer = { Authorization: `Bearer ${root.token}` };
    expect(await get('', { headers: bearer })).toEqual(sentByUs);
    expect(await get('?direct_download=true', { headers: bearer })).toEqual(redirected);
    expect(await get(`?private_token=${root.token}`)).toEqual(redirected);
    const fromPage = { headers: { Origin: 'https://pages.example' } };
    expect(await get(`?private_token=${root.token}`, fromPage)).toEqual(sentByUs);

    const followed = await fetch(`${url}/api/v4${path}?private_token=${root.token}`);
    expect(followed.headers.get('Content-Disposition')).toBe('attachment; filename=out.zip');
    expect(Buffer.from(await followed.arrayBuffer())).toEqual(archive);
    expect(await get('', { headers: {} })).toMatchObject({ status: 404, host: null });
  });

  test('runners are redirected if they ask for it', async () => {
    const job = await running();
    await runner.leave(job, { file: fileOf(archive) });
    const own = { headers: { 'Job-Token': job.token } };
    const path = `/jobs/${job.id}/artifacts`;
    expect(await sentTo(await as(null).fetch(path, own))).toEqual(sentByUs);
    expect(await sentTo(await as(null).fetch(`${path}?direct_download=true`, own))).toEqual(
      redirected,
    );
  });

  test('a browser is redirected', async () => {
    const job = await running();
    await runner.leave(job, { file: fileOf(archive) });
    await ci.move(job.pipelineId, 'unit', 'success');
    const visitor = visitorAt(url);
    await visitor.signIn(root);
    const path = `/acme/app/-/jobs/${job.id}/artifacts/download`;
    const { status, headers } = await visitor.get(path);
    expect(status).toBe(302);
    expect(URL.parse(headers.get('Location') ?? '')?.port).toBe(String(store.port));
  });

  test('one file of an archive is read from the store', async () => {
    const job = await running();
    await runner.leave(job, { file: fileOf(archive) });
    await ci.move(job.pipelineId, 'unit', 'success');
    const path = `/projects/${app.id}/jobs/${job.id}/artifacts/out/report.txt`;
    expect(await as(root).get(path)).toEqual({ status: 200, body: 'all is well\n' });
  });

  test('are deleted from the store with their job', async () => {
    const job = await running();
    await runner.leave(job, { file: fileOf(archive) });
    await ci.move(job.pipelineId, 'unit', 'success');
    await as(root).post(`/projects/${app.id}/jobs/${job.id}/erase`);
    await expect.poll(() => s3.size(artifactsKey(job))).toBeNull();
  });
});

describe('traces', () => {
  const traceOf = async ({ id }: { id: number }) =>
    (await as(root).get(`/projects/${app.id}/jobs/${id}/trace`)).body;
  const twoHoursAgo = () => new Date(Date.now() - 7_200_000);
  const finishedLongAgo = ({ id }: { id: number }) =>
    db.job.update({
      where: { id },
      data: { createdAt: twoHoursAgo(), finishedAt: twoHoursAgo() },
    });
  const moveTraces = async () => {
    const rows = (await json(['objects', 'move'])) as { kind: string }[];
    return rows.find(({ kind }) => kind === 'traces');
  };

  test('are archived after their job, and can grow afterwards', async () => {
    const job = await running();
    await runner.append(job, 0, 'one ');
    await ci.move(job.pipelineId, 'unit', 'success');
    expect(await moveTraces()).toMatchObject({ moved: 0, left: 1 });
    await finishedLongAgo(job);
    expect(await moveTraces()).toMatchObject({ moved: 1, left: 0 });
    expect(await s3.size(traceKey(job))).toBe(4);
    expect(await traceOf(job)).toBe('one ');

    expect(await runner.append(job, 0, 'another')).toMatchObject({ status: 416, range: '0-4' });
    expect(await runner.append(job, 4, 'two')).toMatchObject({ status: 202, range: '0-7' });
    expect(await traceOf(job)).toBe('one two');
    expect(await moveTraces()).toMatchObject({ moved: 1, left: 0 });
    expect(await s3.size(traceKey(job))).toBe(7);
    expect(await traceOf(job)).toBe('one two');
  });

  test('archived ones are deleted with their job', async () => {
    const job = await running();
    await runner.append(job, 0, 'one');
    await ci.move(job.pipelineId, 'unit', 'success');
    await finishedLongAgo(job);
    await moveTraces();
    await as(root).post(`/projects/${app.id}/jobs/${job.id}/erase`);
    await expect.poll(() => s3.size(traceKey(job))).toBeNull();
    expect(await runner.append(job, 3, 'two')).toMatchObject({ status: 403 });
  });
});

describe('while the store is down', () => {
  test('requests for its files fail with 503, all others work, and so do these afterwards', async () => {
    const job = await running();
    await runner.leave(job, { file: fileOf(archive) });
    const upload = async () => {
      const body = formOf({ file: { name: 'a.txt', content: 'a' } });
      const path = `/projects/${app.id}/uploads`;
      return (await as(root).fetch(path, { method: 'POST', body })).status;
    };
    await store.kill();
    expect(await upload()).toBe(503);
    expect((await runner.fetch(job)).status).toBe(503);
    expect(await runner.leave(job, { file: fileOf(other) })).toMatchObject({ status: 503 });
    expect(await as(root).get(`/projects/${app.id}`)).toMatchObject({ status: 200 });
    expect(await runner.append(job, 0, 'trace')).toMatchObject({ status: 202 });
    await ci.move(job.pipelineId, 'unit', 'success');
    const jobPath = `/projects/${app.id}/jobs/${job.id}`;
    expect(await as(root).get(`${jobPath}/artifacts/out/report.txt`)).toMatchObject({
      status: 503,
    });
    const silent = await running();
    const ended = { token: silent.token, state: 'success' };
    expect(await as(null).put(`/jobs/${silent.id}`, ended)).toMatchObject({ status: 200 });
    store = await store.startAgain();
    expect(await upload()).toBe(201);
    expect(Buffer.from(await (await runner.fetch(job)).arrayBuffer())).toEqual(archive);
    expect(await as(root).post(`${jobPath}/erase`)).toMatchObject({ status: 201 });
  });
});

describe('a start', () => {
  const startWith = async (changed: Record<string, string>, files: object = {}) => {
    const database = await cloneDatabase(inject('databaseUrl'));
    const data = await mkdtemp(join(folder, 'data-'));
    const longAgo = new Date(Date.now() - 7_200_000);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(data, path)), { recursive: true });
      await writeFile(join(data, path), content);
      await utimes(dirname(join(data, path)), longAgo, longAgo);
    }
    const server = await startProcess(await freePort(), {
      DATABASE_URL: database.url,
      MILLRACE_DATA: data,
      ...variables,
      ...changed,
    }).catch((error: Error) => error);
    if (!(server instanceof Error)) await server.kill('SIGTERM');
    await database.drop();
    return server instanceof Error ? server.message : server.output();
  };

  test('names the bucket that the store refuses', async () => {
    const missing = variables.MILLRACE_OBJECTS?.replace('millrace-test', 'another-bucket') ?? '';
    expect(await startWith({ MILLRACE_OBJECTS: missing })).toContain(
      'The bucket another-bucket of MILLRACE_OBJECTS cannot be used',
    );
    expect(await startWith({ AWS_SECRET_ACCESS_KEY: 'wrong' })).toContain(
      'The bucket millrace-test of MILLRACE_OBJECTS cannot be used',
    );
  });

  test('works while the store cannot be reached, also if an upload was cut off', async () => {
    const closed = objectVariables(await freePort(), 'service');
    const left = { 'uploads/tmp/left/maker': 'unknown 1 1', 'uploads/tmp/left/project.1.a': '' };
    expect(await startWith(closed, left)).toContain('the object store is not reachable');
  });
});
