import { describe, expect, test } from 'vitest';
import { ciFile, ciOf } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, db } = testWorld;
const { move, deletePushPipelines } = await ciOf(testWorld);
const jobFiles = jobFilesOf(testWorld);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { developer: dan, reporter: rita, guest: gus };

const files = {
  'bin/app': Buffer.from([0, 1, 2, 3]),
  'out/report one.html': '<script>alert(1)</script>',
  'notes.txt': 'größer\n',
  keep: 'a file of this name\n',
};

/** Creates a project with a successful pipeline, whose first job has a trace and artifacts. */
async function createProject(path: string, settings: object = {}) {
  const { id } = await seed.project(`acme/${path}`, roles, { ...settings });
  await seed.push(`acme/${path}`, { '.gitlab-ci.yml': ciFile });
  await deletePushPipelines(id);
  const created = await as(ada).post(`/projects/${id}/pipeline`, { ref: 'master' });
  const pipelineId = (created.body as { id: number }).id;
  const job = await db.job.findFirstOrThrow({ where: { pipelineId, name: 'compile' } });
  await move(pipelineId, 'compile', 'running');
  await jobFiles.trace(job, 'make\n\u001b[32mdone\u001b[0m\n');
  const archive = await jobFiles.artifacts(job, files);
  await move(pipelineId, 'compile', 'success');
  for (const name of ['unit', 'lint']) {
    await move(pipelineId, name, 'running');
    await move(pipelineId, name, 'success');
  }
  await as(ada).post(`/projects/${id}/jobs/${await idOf(pipelineId, 'release')}/play`);
  await move(pipelineId, 'release', 'running');
  await move(pipelineId, 'release', 'success');
  const jobs = `/projects/${id}/jobs`;
  return { id, pipelineId, job, archive, jobs, jobPath: `${jobs}/${job.id}` };
}

const idOf = async (pipelineId: number, name: string) =>
  (await db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } })).id;

const app = await createProject('app');
const open = await createProject('open', { visibility: 'public' });
const closed = await createProject('closed', { visibility: 'public', public_jobs: false });
const quiet = await createProject('quiet', { public_jobs: false });

const notFound = { status: 404, body: { message: '404 Not Found' } };

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

const sandboxPolicy = "default-src 'none'; sandbox";

describe('GET /projects/:id/jobs/:job_id/trace', () => {
  test('returns the trace as plain text', async () => {
    const response = await as(rita).fetch(`${app.jobPath}/trace`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toBe(
      `inline; filename="${app.job.id}.log"`,
    );
    expect(response.headers.get('Content-Security-Policy')).toBe(sandboxPolicy);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Content-Length')).toBe('19');
    expect(await response.text()).toBe('make\n\u001b[32mdone\u001b[0m\n');
  });

  test('grows while the job runs', async () => {
    const created = await as(ada).post(`/projects/${app.id}/pipeline`, { ref: 'master' });
    const pipelineId = (created.body as { id: number }).id;
    const place = { id: await idOf(pipelineId, 'compile'), projectId: app.id };
    const read = async () => (await as(rita).get(`${app.jobs}/${place.id}/trace`)).body;
    await move(pipelineId, 'compile', 'running');
    await jobFiles.trace(place, 'one\n');
    expect(await read()).toBe('one\n');
    await jobFiles.trace(place, 'one\ntwo\n');
    expect(await read()).toBe('one\ntwo\n');
    await db.pipeline.delete({ where: { id: pipelineId } });
  });

  test('is empty if the job has no output', async () => {
    const id = await idOf(app.pipelineId, 'unit');
    const response = await as(rita).fetch(`${app.jobs}/${id}/trace`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  test('requires access to the job', async () => {
    const trace = `${app.jobPath}/trace`;
    expect(await as(null).get(trace)).toEqual(refused.anonymous);
    expect(await as(null).get(`${open.jobPath}/trace`)).toEqual(refused.anonymous);
    expect(await as(sam).get(trace)).toEqual(refused.missing('Project'));
    expect((await as(sam).get(`${open.jobPath}/trace`)).status).toBe(200);
    expect(await as(sam).get(`${closed.jobPath}/trace`)).toEqual(refused.forbidden);
    expect(await as(gus).get(`${quiet.jobPath}/trace`)).toEqual(refused.forbidden);
    for (const person of [rita, dan, ada, root]) {
      expect((await as(person).get(`${quiet.jobPath}/trace`)).status).toBe(200);
    }
    expect(await as(rita).get(`${open.jobs}/${app.job.id}/trace`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/0/trace`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/x/trace`)).toEqual(
      refused.parameter('job_id is invalid'),
    );
  });
});

const archives = [
  ['/projects/:id/jobs/:job_id/artifacts', (place: typeof app) => `${place.jobPath}/artifacts`],
  [
    '/projects/:id/jobs/artifacts/:ref_name/download',
    ({ jobs }: typeof app) => `${jobs}/artifacts/master/download?job=compile`,
  ],
] as const;

describe.each(archives)('GET %s', (_path, pathOf) => {
  test('downloads the archive', async () => {
    const response = await as(rita).fetch(pathOf(app));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(response.headers.get('Content-Disposition')).toBe(
      'attachment; filename="artifacts.zip"',
    );
    expect(response.headers.get('Content-Length')).toBe(String(app.archive.length));
    expect(await bytesOf(response)).toEqual(app.archive);
  });

  test('HEAD returns the size', async () => {
    const response = await as(rita).fetch(pathOf(app), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe(String(app.archive.length));
  });

  test('is available to users who see the project, if jobs are public', async () => {
    expect((await as(null).fetch(pathOf(open))).status).toBe(200);
    expect((await as(sam).fetch(pathOf(open))).status).toBe(200);
    expect(await as(null).get(pathOf(closed))).toEqual(refused.anonymous);
    expect(await as(sam).get(pathOf(closed))).toEqual(refused.forbidden);
    expect(await as(null).get(pathOf(app))).toEqual(refused.missing('Project'));
    expect(await as(sam).get(pathOf(app))).toEqual(refused.missing('Project'));
    expect(await as(gus).get(pathOf(quiet))).toEqual(refused.forbidden);
    for (const person of [rita, dan, ada, root]) {
      expect((await as(person).fetch(pathOf(quiet))).status).toBe(200);
    }
  });
});

describe('GET /projects/:id/jobs/:job_id/artifacts', () => {
  test('missing and expired artifacts give 404', async () => {
    const unit = await idOf(app.pipelineId, 'unit');
    expect(await as(rita).get(`${app.jobs}/${unit}/artifacts`)).toEqual(notFound);
    expect(await as(rita).get(`${app.jobs}/0/artifacts`)).toEqual(refused.record);
    expect(await as(rita).get(`${open.jobs}/${app.job.id}/artifacts`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/x/artifacts`)).toEqual(
      refused.parameter('job_id is invalid'),
    );
    const { job, jobPath } = await createProject('stale');
    await jobFiles.artifacts(job, files, new Date(0));
    expect(await as(rita).get(`${jobPath}/artifacts`)).toEqual(notFound);
    expect(await as(rita).get(`${jobPath}/artifacts/notes.txt`)).toEqual(notFound);
  });
});

const entries = [
  [
    '/projects/:id/jobs/:job_id/artifacts/*artifact_path',
    (path: string) => `${app.jobPath}/artifacts/${path}`,
  ],
  [
    '/projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path',
    (path: string) => `${app.jobs}/artifacts/master/raw/${path}?job=compile`,
  ],
] as const;

describe.each(entries)('GET %s', (_path, pathOf) => {
  test.each(['out/report%20one.html', 'out%2Freport%20one.html'])(
    'returns the file %s so that browsers do not execute it',
    async (path) => {
      const response = await as(rita).fetch(pathOf(path));
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('Content-Disposition')).toBe(
        'inline; filename="report one.html"',
      );
      expect(response.headers.get('Content-Security-Policy')).toBe(sandboxPolicy);
      expect(await response.text()).toBe('<script>alert(1)</script>');
    },
  );

  test('downloads a binary file as bytes', async () => {
    const response = await as(rita).fetch(pathOf('bin/app'));
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="app"');
    expect(response.headers.get('Content-Length')).toBe('4');
    expect(await bytesOf(response)).toEqual(files['bin/app']);
  });

  test('finds a file of any name', async () => {
    expect(await as(rita).get(pathOf('keep'))).toEqual({
      status: 200,
      body: 'a file of this name\n',
    });
    expect(await as(rita).get(pathOf('notes.txt'))).toEqual({ status: 200, body: 'größer\n' });
  });

  test.each([
    'none.txt',
    'bin',
    'bin%2F',
    '..%2Fnotes.txt',
    'out%2F..%2Fnotes.txt',
    'out%2F.%2Freport%20one.html',
    '%2Fetc%2Fpasswd',
    '..%5Cnotes.txt',
  ])('%s gives 404', async (path) => {
    expect(await as(rita).get(pathOf(path))).toEqual(notFound);
  });
});

test('a single file has the permissions of the archive', async () => {
  const pathOf = ({ jobPath }: typeof app) => `${jobPath}/artifacts/notes.txt`;
  expect((await as(null).get(pathOf(open))).status).toBe(200);
  expect(await as(null).get(pathOf(closed))).toEqual(refused.anonymous);
  expect(await as(sam).get(pathOf(closed))).toEqual(refused.forbidden);
  expect(await as(null).get(pathOf(app))).toEqual(refused.missing('Project'));
  expect(await as(gus).get(pathOf(quiet))).toEqual(refused.forbidden);
});

describe('GET /projects/:id/jobs/artifacts/:ref_name/download', () => {
  const pathOf = (ref: string, query = '?job=compile') =>
    `${app.jobs}/artifacts/${ref}/download${query}`;

  test('uses the latest successful pipeline', async () => {
    const created = await as(ada).post(`/projects/${app.id}/pipeline`, { ref: 'master' });
    const pipelineId = (created.body as { id: number }).id;
    const later = { id: await idOf(pipelineId, 'compile'), projectId: app.id };
    const archive = await jobFiles.artifacts(later, { 'later.txt': 'later\n' });
    expect(await bytesOf(await as(rita).fetch(pathOf('master')))).toEqual(app.archive);
    await db.pipeline.update({ where: { id: pipelineId }, data: { status: 'success' } });
    expect(await bytesOf(await as(rita).fetch(pathOf('master')))).toEqual(archive);
    await db.pipeline.delete({ where: { id: pipelineId } });
  });

  test('a branch takes precedence over a tag of the same name', async () => {
    await as(dan).post(`/projects/${app.id}/repository/tags`, {
      tag_name: 'master',
      ref: 'master',
    });
    const created = await as(ada).post(`/projects/${app.id}/pipeline`, { ref: 'refs/tags/master' });
    const pipelineId = (created.body as { id: number }).id;
    const foreign = { id: await idOf(pipelineId, 'compile'), projectId: app.id };
    const archive = await jobFiles.artifacts(foreign, { 'bin/app': 'foreign\n' });
    await db.pipeline.update({ where: { id: pipelineId }, data: { status: 'success' } });
    expect(await bytesOf(await as(rita).fetch(pathOf('master')))).toEqual(app.archive);
    await db.pipeline.update({ where: { id: pipelineId }, data: { ref: 'v1' } });
    expect(await bytesOf(await as(rita).fetch(pathOf('v1')))).toEqual(archive);
    await db.pipeline.delete({ where: { id: pipelineId } });
  });

  test('accepts branches with slashes, encoded or not', async () => {
    await db.pipeline.update({ where: { id: app.pipelineId }, data: { ref: 'feature/x.y' } });
    for (const ref of ['feature/x.y', 'feature%2Fx.y', 'feature%2Fx%2Ey']) {
      expect((await as(rita).fetch(pathOf(ref))).status).toBe(200);
    }
    await db.pipeline.update({ where: { id: app.pipelineId }, data: { ref: 'master' } });
  });

  test('missing files, jobs and refs give 404', async () => {
    expect(await as(rita).get(pathOf('nowhere'))).toEqual(refused.record);
    expect(await as(rita).get(pathOf('master', '?job=none'))).toEqual(refused.record);
    expect(await as(rita).get(pathOf('master', '?job=unit'))).toEqual(notFound);
    expect(await as(rita).get(pathOf('master', ''))).toEqual(refused.parameter('job is missing'));
  });
});
