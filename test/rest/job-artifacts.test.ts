import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { expireArtifacts } from '../../schema/jobs/sweep-files.ts';
import { openQueue } from '../../server/jobs/queue.ts';
import { ciOf } from '../support/ci.ts';
import { zipOf } from '../support/job-files.ts';
import {
  type JobWithToken,
  jobAssigner,
  jobClient,
  projectWithJobs,
} from '../support/runner-jobs.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db, databaseUrl, dataFolder, storedKeys } = testWorld;
const ci = await ciOf(testWorld);
const hold = await jobAssigner(testWorld, ci);
const { leave, fetch } = jobClient(url);
const queue = await openQueue(databaseUrl, { onError: () => {} });
afterAll(() => queue.stop());

await seed.group('acme');
const ciFile = 'unit: { script: make }\n';
const app = await projectWithJobs(testWorld, ci, 'acme/app', ciFile);

interface RunningJob extends JobWithToken {
  readonly pipelineId: number;
}

const running = async (project = app): Promise<RunningJob> => {
  const pipelineId = await project.pipeline();
  return { ...(await hold(pipelineId, 'unit')), pipelineId };
};
const finish = ({ pipelineId }: RunningJob) => ci.move(pipelineId, 'unit', 'success');

const archive = await zipOf({ 'out/report.txt': 'all is well\n', 'out/empty': '' });
const fileOf = (content: Buffer, name = 'artifacts.zip') =>
  new File([new Uint8Array(content)], name, { type: 'application/octet-stream' });
const file = fileOf(archive);

const storedResponse = (
  { id }: JobWithToken,
  filename = 'artifacts.zip',
  size = archive.length,
) => ({
  status: 201,
  body: { id, artifacts_file: { filename, size } },
});
const refusal = (status: number, message: string) => ({ status, body: { message } });
const forbidden = refusal(403, '403 Forbidden');
const notRunning = refusal(403, '403 Forbidden - Job is not running!');
const tooLarge = refusal(413, '413 Request Entity Too Large');
const notFound = refusal(404, '404 Not Found');

const sizeOf = async (project = app) => {
  const { body } = await as(root).get(`/projects/${project.id}?statistics=true`);
  return (body as { statistics: Record<string, number> }).statistics.job_artifacts_size;
};
const rowOf = ({ id }: JobWithToken) =>
  db.job.findUniqueOrThrow({
    where: { id },
    select: { artifactsFile: true, artifactsSize: true, artifactsExpireAt: true },
  });
const inHours = (hours: number) => Date.now() + hours * 3_600_000;
const settings = (input: object) => as(root).put('/application/settings', { ...input });
/** The names of archives and their former versions. */
const listFiles = async (prefix: string) =>
  (await storedKeys(prefix)).map((key) => basename(key)).filter((name) => name !== 'maker');
const fetched = async (job: JobWithToken) => Buffer.from(await (await fetch(job)).arrayBuffer());
const refusedFetch = async (job: JobWithToken) => {
  const response = await fetch(job);
  return { status: response.status, body: await response.json() };
};

describe('POST /jobs/:id/artifacts', () => {
  test('stores the archive of a running job and adds its size to the statistics', async () => {
    const before = (await sizeOf()) ?? 0;
    const job = await running();
    expect(await leave(job, { file })).toEqual(storedResponse(job));
    expect(await rowOf(job)).toEqual({
      artifactsFile: 'artifacts.zip',
      artifactsSize: BigInt(archive.length),
      artifactsExpireAt: null,
    });
    expect(await sizeOf()).toBe(before + archive.length);
    expect(await fetched(job)).toEqual(archive);
  });

  test('replaces an earlier archive', async () => {
    const before = (await sizeOf()) ?? 0;
    const job = await running();
    await leave(job, { file });
    const other = await zipOf({ other: 'x'.repeat(1000) });
    expect(await leave(job, { file: fileOf(other, 'other.zip') })).toEqual(
      storedResponse(job, 'other.zip', other.length),
    );
    expect(await sizeOf()).toBe(before + other.length);
    expect(await fetched(job)).toEqual(other);
    expect((await listFiles('artifacts/')).filter((name) => name.startsWith(`${job.id}.`))).toEqual(
      [`${job.id}.zip`],
    );
  });

  test('accepts the token as a parameter, and any file name and content', async () => {
    const job = await running();
    const notAnArchive = fileOf(Buffer.from('no archive'), '../../etc/pass wd');
    const unnamed = { ...job, token: '' };
    expect(await leave(unnamed, { file: notAnArchive }, `?token=${job.token}`)).toEqual(
      storedResponse(job, 'pass_wd', 10),
    );
    // an object store is followed to
    const path = `${url}/api/v4/jobs/${job.id}/artifacts?token=${job.token}`;
    expect(await (await globalThis.fetch(path)).text()).toBe('no archive');
  });

  test('the archive expires after the period given by the runner or by the settings', async () => {
    const job = await running();
    const uploadAndReadExpiry = async (query: string) => {
      expect((await leave(job, { file }, query)).status).toBe(201);
      return (await rowOf(job)).artifactsExpireAt?.getTime() ?? null;
    };
    const expectExpiry = async (query: string, hours: number) => {
      const until = await uploadAndReadExpiry(query);
      expect(until).toBeGreaterThan(inHours(hours) - 60_000);
      expect(until).toBeLessThan(inHours(hours) + 60_000);
    };
    await expectExpiry('?expire_in=1+week', 168);
    await expectExpiry('?expire_in=2+hrs+30+min', 2.5);
    await expectExpiry('?expire_in=7200', 2);
    for (const none of ['0', 'never', 'soon', '999999999+years', '']) {
      expect(await uploadAndReadExpiry(`?expire_in=${none}`)).toBe(null);
    }
    await settings({ default_artifacts_expire_in: '3 days' });
    await expectExpiry('', 72);
    await expectExpiry('?expire_in=1+week', 168);
    expect(await uploadAndReadExpiry('?expire_in=0')).toBe(null);
    await settings({ default_artifacts_expire_in: '0' });
  });

  test('requires the token of the job', async () => {
    const job = await running();
    const other = await running();
    expect(await leave({ ...job, token: '' }, { file })).toEqual(forbidden);
    expect(await leave({ ...job, token: other.token }, { file })).toEqual(forbidden);
    expect(await leave({ ...job, token: root.token }, { file })).toEqual(forbidden);
    expect(await leave({ ...job, id: 2 ** 31 - 1 }, { file })).toEqual(notFound);
    expect((await rowOf(job)).artifactsFile).toBe(null);
    expect(await listFiles('uploads/tmp')).toEqual([]);
  });

  test('rejects a job that is not running', async () => {
    const ended = await running();
    await finish(ended);
    expect(await leave(ended, { file })).toEqual(notRunning);
    const canceled = await running();
    await as(root).post(`/projects/${app.id}/jobs/${canceled.id}/cancel`);
    expect(await leave(canceled, { file })).toEqual(notRunning);
    expect((await rowOf(canceled)).artifactsFile).toBe(null);
  });

  test('rejects a form without the file', async () => {
    const job = await running();
    const missing = refusal(400, '400 (Bad request) "Missing artifacts file!" not given');
    expect(await leave(job, { other: file })).toEqual(missing);
    expect(await leave(job, { file: 'text' })).toEqual({
      status: 400,
      body: { error: 'file is invalid' },
    });
    expect(await leave(job, { metadata: file, file })).toEqual(storedResponse(job));
  });

  test('rejects an archive that is too large, by its announced and its actual size', async () => {
    await settings({ max_artifacts_size: 1 });
    const job = await running();
    const large = fileOf(Buffer.alloc(2 ** 20 + 1));
    expect(await leave(job, { file: large })).toEqual(tooLarge);
    expect(await leave(job, { file: fileOf(Buffer.alloc(2 ** 20)) })).toMatchObject({
      status: 201,
    });
    expect(await leave({ ...job, token: 'unknown' }, { file: large })).toEqual(forbidden);
    const authorize = `/jobs/${job.id}/artifacts/authorize`;
    const authorizeSize = (filesize: unknown) =>
      as(null).post(authorize, { token: job.token, filesize });
    expect(await authorizeSize(2 ** 20 + 1)).toEqual(tooLarge);
    expect(await authorizeSize(2 ** 20)).toEqual({ status: 200, body: {} });
    expect(await listFiles('uploads/tmp')).toEqual([]);
    await settings({ max_artifacts_size: 100 });
  });

  test('the limit of attachments does not apply', async () => {
    const job = await running();
    const large = Buffer.alloc(11 * 2 ** 20, 'x');
    expect(await leave(job, { file: fileOf(large) })).toEqual(
      storedResponse(job, 'artifacts.zip', large.length),
    );
  });

  test('is disabled if the maximum size is 0', async () => {
    await settings({ max_artifacts_size: 0 });
    const job = await running();
    const disabled = refusal(405, '405 Method Not Allowed');
    expect(await leave(job, { file })).toEqual(disabled);
    expect(await as(null).post(`/jobs/${job.id}/artifacts/authorize`)).toEqual(disabled);
    await settings({ max_artifacts_size: 100 });
  });

  test('concurrent uploads leave one complete archive', async () => {
    const job = await running();
    const archives = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => zipOf({ file: String(n).repeat(n * 1000) })),
    );
    const responses = await Promise.all(archives.map((each) => leave(job, { file: fileOf(each) })));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const stored = await fetched(job);
    expect(archives.some((each) => each.equals(stored))).toBe(true);
    expect((await rowOf(job)).artifactsSize).toBe(BigInt(stored.length));
  });
});

describe('POST /jobs/:id/artifacts/authorize', () => {
  test('accepts the token of a running job', async () => {
    const job = await running();
    const path = `/jobs/${job.id}/artifacts/authorize`;
    expect(await as(null).post(path, { token: job.token })).toEqual({ status: 200, body: {} });
    expect(await as(null).post(path, { token: 'another' })).toEqual(forbidden);
    expect(await as(null).post(path)).toEqual(forbidden);
    expect(await as(root).post(path)).toEqual(forbidden);
    const unknown = `/jobs/${2 ** 31 - 1}/artifacts/authorize`;
    expect(await as(null).post(unknown, { token: job.token })).toEqual(notFound);
    for (const filesize of ['many', -1]) {
      const { status } = await as(null).post(path, { token: job.token, filesize });
      expect(status).toBe(400);
    }
    await finish(job);
    expect(await as(null).post(path, { token: job.token })).toEqual(notRunning);
  });
});

describe('GET /jobs/:id/artifacts', () => {
  test('returns the archive to the token of the job, also after its end', async () => {
    const job = await running();
    const other = await running();
    expect(await refusedFetch(job)).toEqual(notFound);
    await leave(job, { file });
    await finish(job);
    const response = await fetch(job);
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(response.headers.get('Content-Disposition')).toBe(
      'attachment; filename="artifacts.zip"',
    );
    expect(Buffer.from(await response.arrayBuffer())).toEqual(archive);
    expect(await refusedFetch({ ...job, token: other.token })).toEqual(forbidden);
    expect(await refusedFetch({ ...job, token: '' })).toEqual(forbidden);
    expect(await refusedFetch({ ...job, id: 2 ** 31 - 1 })).toEqual(notFound);
  });

  test('an erased job gives 403', async () => {
    const before = await sizeOf();
    const job = await running();
    await leave(job, { file });
    await finish(job);
    await as(root).post(`/projects/${app.id}/jobs/${job.id}/erase`);
    expect(await refusedFetch(job)).toEqual(refusal(403, '403 Forbidden - Job has been erased!'));
    expect(await sizeOf()).toBe(before);
    expect(await listFiles(`artifacts/${app.id}/`)).not.toContain(`${job.id}.zip`);
  });
});

describe('artifacts', () => {
  const setExpiry = (job: JobWithToken, milliseconds: number) =>
    db.job.update({
      where: { id: job.id },
      data: { artifactsExpireAt: new Date(Date.now() + milliseconds) },
    });

  test('are deleted when they expire, unless they are kept', async () => {
    const before = (await sizeOf()) ?? 0;
    const [expired, permanent] = [await running(), await running()];
    for (const job of [expired, permanent]) {
      await leave(job, { file }, '?expire_in=1+hour');
      await finish(job);
    }
    await setExpiry(expired, -1000);
    expect(await refusedFetch(expired)).toEqual(notFound);
    await as(root).post(`/projects/${app.id}/jobs/${permanent.id}/artifacts/keep`);
    await expireArtifacts({ db, jobs: queue });
    expect(await rowOf(expired)).toEqual({
      artifactsFile: null,
      artifactsSize: null,
      artifactsExpireAt: null,
    });
    expect(await sizeOf()).toBe(before + archive.length);
    await expect.poll(() => listFiles(`artifacts/${app.id}/`)).not.toContain(`${expired.id}.zip`);
    expect(await fetched(permanent)).toEqual(archive);
  });

  test('are deleted with their project', async () => {
    const removed = await projectWithJobs(testWorld, ci, 'acme/away', ciFile);
    const job = await running(removed);
    await leave(job, { file });
    expect(await listFiles(`artifacts/${removed.id}/`)).toEqual([`${job.id}.zip`]);
    await as(root).delete(`/projects/${removed.id}`);
    await expect.poll(() => listFiles(`artifacts/${removed.id}/`)).toEqual([]);
  });
});

describe('one file of an archive', () => {
  const fetchEntry = async (content: Buffer, path: string) => {
    const job = await running();
    await leave(job, { file: fileOf(content) });
    return as(root).fetch(`/projects/${app.id}/jobs/${job.id}/artifacts/${path}`);
  };
  /** The archive with all occurrences of `from` replaced by `to` of the same length. */
  const replaceBytes = (content: Buffer, from: Buffer | string, to: Buffer | string) => {
    const changed = Buffer.from(content);
    const [pattern, replacement] = [Buffer.from(from), Buffer.from(to)];
    for (let at = changed.indexOf(pattern); at >= 0; at = changed.indexOf(pattern, at + 1)) {
      replacement.copy(changed, at);
    }
    return changed;
  };

  test('is extracted', async () => {
    const response = await fetchEntry(archive, 'out/report.txt');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('all is well\n');
    const empty = await fetchEntry(archive, 'out/empty');
    expect([empty.status, await empty.text()]).toEqual([200, '']);
    const large = await fetchEntry(await zipOf({ large: 'x'.repeat(3_000_000) }), 'large');
    expect((await large.text()).length).toBe(3_000_000);
  });

  test('is never read from outside the archive', async () => {
    const secret = await readFile(join(dataFolder, 'secret.key'), 'utf8').catch(() => '');
    const evil = replaceBytes(
      await zipOf({ 'aa/aa/secret.key': 'evil' }),
      'aa/aa/secret',
      '../../secret',
    );
    for (const path of ['..%2F..%2Fsecret.key', '..%5C..%5Csecret.key', '%2Fetc%2Fpasswd']) {
      const response = await fetchEntry(evil, path);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain(secret || 'evil');
    }
    const mixed = replaceBytes(
      await zipOf({ 'aa/aa/secret': 'evil', 'good.txt': 'good' }),
      'aa/aa/secret',
      '../../secret',
    );
    expect(await (await fetchEntry(mixed, 'good.txt')).text()).toBe('good');
  });

  test('is never longer than the archive declares', async () => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(10_000_000);
    const claimed = Buffer.alloc(4);
    claimed.writeUInt32LE(10);
    const bomb = replaceBytes(await zipOf({ bomb: Buffer.alloc(10_000_000) }), size, claimed);
    expect((await fetchEntry(bomb, 'bomb')).status).toBe(404);
    claimed.writeUInt32LE(300_000);
    const later = replaceBytes(await zipOf({ bomb: Buffer.alloc(10_000_000) }), size, claimed);
    const response = await fetchEntry(later, 'bomb');
    await expect(response.arrayBuffer()).rejects.toThrow();
    claimed.writeUInt32LE(2 ** 31);
    const oversized = replaceBytes(await zipOf({ bomb: Buffer.alloc(10_000_000) }), size, claimed);
    expect((await fetchEntry(oversized, 'bomb')).status).toBe(404);
  });

  test('is not found in a file that is not a valid archive', async () => {
    for (const content of [
      Buffer.from('no archive'),
      Buffer.alloc(0),
      archive.subarray(0, -10),
      replaceBytes(archive, 'PK\u0001\u0002', 'PK\u0009\u0009'),
    ]) {
      expect((await fetchEntry(content, 'out/report.txt')).status).toBe(404);
    }
    expect((await fetchEntry(archive, 'out/')).status).toBe(404);
    expect((await fetchEntry(archive, 'out')).status).toBe(404);
  });
});
