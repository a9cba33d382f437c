import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../support/runner-jobs.ts';
import { runnersOf } from '../support/runners.ts';
import { instant } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db, dataFolder } = testWorld;
const ci = await ciOf(testWorld);
const hold = await jobAssigner(testWorld, ci);
const { projectToken } = runnersOf(testWorld);
const { append } = jobClient(url);

await seed.group('acme');
const app = await projectWithJobs(testWorld, ci, 'acme/app', 'unit: { script: make }\n');

/** A running job in a new pipeline. */
const running = async () => {
  const pipelineId = await app.pipeline();
  return { ...(await hold(pipelineId, 'unit')), pipelineId };
};

const traceOf = async ({ id }: { readonly id: number }) =>
  (await as(root).get(`/projects/${app.id}/jobs/${id}/trace`)).body;

const accepted = (size: number, jobStatus = 'running') => ({
  status: 202,
  body: { message: '202 Accepted' },
  range: `0-${size}`,
  jobStatus,
});
const outOfRange = (size: number) => ({
  status: 416,
  body: { error: '416 Range Not Satisfiable' },
  range: `0-${size}`,
  jobStatus: null,
});
const refusal = (status: number, body: object) => ({ status, body, range: null, jobStatus: null });
const forbidden = (reason?: string) =>
  refusal(403, { message: reason ? `403 Forbidden - ${reason}` : '403 Forbidden' });

describe('PATCH /jobs/:id/trace', () => {
  test('appends pieces in order', async () => {
    const job = await running();
    expect(await append(job, 0, 'one\n')).toEqual(accepted(4));
    expect(await append(job, 4, 'zwö\n')).toEqual(accepted(9));
    expect(await append(job, 9, '')).toEqual(accepted(9));
    expect(await traceOf(job)).toBe('one\nzwö\n');
  });

  test('accepts a range whose end is the last byte of the piece, as later runners send it', async () => {
    const job = await running();
    expect(await append(job, 0, 'one\n', { 'Content-Range': '0-3' })).toEqual(accepted(4));
    expect(await append(job, 4, 'two\n', { 'Content-Range': '4-7' })).toEqual(accepted(8));
    expect(await append(job, 8, '', { 'Content-Range': '8-' })).toEqual(accepted(8));
    expect(await traceOf(job)).toBe('one\ntwo\n');
  });

  test('stores bytes of any content type unchanged', async () => {
    const job = await running();
    const types = ['application/octet-stream', 'application/x-www-form-urlencoded', 'text/plain'];
    for (const [n, type] of types.entries()) {
      expect(await append(job, n * 5, 'a=%b\0', { 'Content-Type': type })).toEqual(
        accepted(n * 5 + 5),
      );
    }
    expect(await traceOf(job)).toBe('a=%b\0a=%b\0a=%b\0');
  });

  test('rejects a piece that does not start at the end of the trace, and returns the size', async () => {
    const job = await running();
    expect(await append(job, 4, 'two\n')).toEqual(outOfRange(0));
    await append(job, 0, 'one\n');
    expect(await append(job, 8, 'three\n')).toEqual(outOfRange(4));
    expect(await append(job, 0, 'once more\n')).toEqual(outOfRange(4));
    expect(await append(job, 2, 'e\ntwo\n')).toEqual(outOfRange(4));
    expect(await append(job, 4, 'two\n')).toEqual(accepted(8));
    expect(await traceOf(job)).toBe('one\ntwo\n');
  });

  test('one of twenty concurrent pieces with the same start is stored', async () => {
    const job = await running();
    const pieces = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(100 + n));
    const responses = await Promise.all(pieces.map((piece) => append(job, 0, piece)));
    const stored = responses.filter(({ status }) => status === 202);
    expect(stored).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 416)).toHaveLength(pieces.length - 1);
    expect(pieces).toContain(await traceOf(job));
  });

  test('returns the current status of the job', async () => {
    const job = await running();
    await append(job, 0, 'one\n');
    await as(root).post(`/projects/${app.id}/jobs/${job.id}/cancel`);
    expect(await append(job, 4, 'two\n')).toEqual(accepted(8, 'canceled'));
    expect(await db.job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
      status: 'canceled',
      traceSize: 8,
    });
    const other = await running();
    await ci.move(other.pipelineId, 'unit', 'failed');
    expect(await append(other, 0, 'one\n')).toEqual(accepted(4, 'failed'));
  });

  test('rejects a piece with a missing or invalid range', async () => {
    const job = await running();
    const bad = refusal(400, { error: '400 Invalid header Content-Range' });
    expect(await append(job, 0, 'one\n', { 'Content-Range': '' })).toEqual(
      refusal(400, { error: '400 Missing header Content-Range' }),
    );
    for (const range of ['one', '-4', '4', '-1-3', '0x0-4', '1e3-4', '99999999999999-']) {
      expect(await append(job, 0, 'one\n', { 'Content-Range': range })).toEqual(bad);
    }
    expect(await traceOf(job)).toBe(null);
  });

  test('requires the token of the job', async () => {
    const job = await running();
    const other = await running();
    const appendWith = (headers: Readonly<Record<string, string>>) =>
      append(job, 0, 'x', { 'Job-Token': '', ...headers });
    expect(await appendWith({})).toEqual(forbidden());
    expect(await appendWith({ 'Job-Token': other.token })).toEqual(forbidden());
    expect(await appendWith({ 'Private-Token': root.token })).toEqual(forbidden());
    expect(await appendWith({ 'Job-Token': await projectToken(app.id) })).toEqual(forbidden());
    expect(await append({ ...job, id: 2 ** 31 - 1 }, 0, 'x')).toEqual(
      refusal(404, { message: '404 Not Found' }),
    );
    expect(await append({ ...job, id: 2 ** 40 }, 0, 'x')).toEqual(
      refusal(404, { message: '404 Not Found' }),
    );
    const pending = await app.pipeline();
    const { id } = await app.jobNamed(pending, 'unit');
    expect(await append({ id, token: job.token }, 0, 'x')).toEqual(forbidden());
    expect(await traceOf(job)).toBe(null);
  });

  test('is forbidden for an erased job and a job of a removed project', async () => {
    const job = await running();
    await append(job, 0, 'one\n');
    await ci.move(job.pipelineId, 'unit', 'success');
    const erased = await as(root).post(`/projects/${app.id}/jobs/${job.id}/erase`);
    expect(erased.status).toBe(201);
    expect(await append(job, 4, 'two\n')).toEqual(forbidden('Job has been erased!'));
    expect(await append(job, 0, 'one\n')).toEqual(forbidden('Job has been erased!'));
    expect(await traceOf(job)).toBe(null);

    const removed = await projectWithJobs(testWorld, ci, 'acme/away', 'unit: { script: make }\n');
    const unfinished = await hold(await removed.pipeline(), 'unit');
    expect((await append(unfinished, 0, 'one\n')).status).toBe(202);
    expect(await readdir(join(dataFolder, 'traces'))).toContain(String(removed.id));
    await as(root).delete(`/projects/${removed.id}`);
    const response = await append(unfinished, 4, 'two\n');
    expect([
      forbidden('Project has been deleted!'),
      refusal(404, { message: '404 Not Found' }),
    ]).toContainEqual(response);
    await expect.poll(() => readdir(join(dataFolder, 'traces'))).not.toContain(String(removed.id));
  });

  test('rejects a piece and a trace that are too large', async () => {
    const job = await running();
    const tooLarge = refusal(413, { message: '413 Request Entity Too Large' });
    expect(await append(job, 0, Buffer.alloc(5 * 2 ** 20 + 1, 'x'))).toEqual(tooLarge);
    expect(await append(job, 100 * 2 ** 20, 'x')).toEqual(tooLarge);
    expect(await append(job, 0, Buffer.alloc(5 * 2 ** 20, 'x'))).toEqual(accepted(5 * 2 ** 20));
    expect(await append(job, 5 * 2 ** 20, 'x', { 'Content-Encoding': 'gzip' })).toMatchObject({
      status: 415,
    });
  });

  test('masks the tokens of the job and of the project, even across pieces', async () => {
    const job = await running();
    const runners = await projectToken(app.id);
    const whole = `a ${job.token} b ${runners} c ${job.token}${job.token}\n`;
    const masked = whole
      .replaceAll(job.token, (token) => 'x'.repeat(token.length))
      .replace(runners, 'x'.repeat(runners.length));
    let start = 0;
    for (const piece of whole.match(/.{1,7}/gs) ?? []) {
      expect(await append(job, start, piece)).toEqual(accepted(start + piece.length));
      start += piece.length;
    }
    expect(await append(job, start, whole)).toEqual(accepted(start * 2));
    expect(await traceOf(job)).toBe(masked.repeat(2));
  });

  test('updates the heartbeat and the size of the trace', async () => {
    const job = await running();
    const before = new Date(Date.now() - 3_500_000);
    await db.job.update({ where: { id: job.id }, data: { heardAt: before } });
    await append(job, 0, 'one\n');
    const { heardAt, traceSize } = await db.job.findUniqueOrThrow({ where: { id: job.id } });
    expect(heardAt?.getTime()).toBeGreaterThan(before.getTime() + 3_000_000);
    expect(traceSize).toBe(4);
    expect(await as(root).get(`/projects/${app.id}/jobs/${job.id}`)).toMatchObject({
      body: { started_at: instant },
    });
  });
});

describe('PUT /jobs/:id', () => {
  const report = (job: { readonly id: number; readonly token: string }, input: object) =>
    as(null).put(`/jobs/${job.id}`, { token: job.token, ...input });

  test('completes the trace with the full trace of the runner', async () => {
    const job = await running();
    await append(job, 0, 'one\nzwö\n');
    const whole = `one\nzwö\nthree ${job.token}\n`;
    expect((await report(job, { state: 'success', trace: whole })).status).toBe(200);
    expect(await traceOf(job)).toBe(whole.replace(job.token, 'x'.repeat(job.token.length)));
    expect((await report(job, { state: 'success', trace: 'one\n' })).status).toBe(200);
    expect(await traceOf(job)).toContain('three');
    const { traceSize } = await db.job.findUniqueOrThrow({ where: { id: job.id } });
    expect(traceSize).toBe(Buffer.byteLength(whole));
  });

  test('stores the last coverage in the trace', async () => {
    const covered = await projectWithJobs(
      testWorld,
      ci,
      'acme/covered',
      "unit: { script: make, coverage: '/Lines: (\\d+\\.\\d+)%|total \\d+/' }\n",
    );
    const coverage = async (trace: string) => {
      const job = await hold(await covered.pipeline(), 'unit');
      await append(job, 0, trace);
      await report(job, { state: 'success' });
      return (await db.job.findUniqueOrThrow({ where: { id: job.id } })).coverage;
    };
    expect(await coverage('Lines: 12.5%\nLines: 20.0% Lines: 81.25%\nDone\n')).toBe(81.25);
    expect(await coverage('nothing was measured\n')).toBe(null);
    expect(await coverage('')).toBe(null);
  });
});
