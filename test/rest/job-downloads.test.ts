import { describe, expect, test } from 'vitest';
import { ciFile, ciOf } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, root, db } = here;
const { move, deletePushPipelines } = await ciOf(here);
const kept = jobFilesOf(here);
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

/** A project with a pipeline that was a success, whose first job left a trace and an archive. */
async function fresh(path: string, settings: object = {}) {
  const { id } = await seed.project(`acme/${path}`, roles, { ...settings });
  await seed.push(`acme/${path}`, { '.gitlab-ci.yml': ciFile });
  await deletePushPipelines(id);
  const made = await as(ada).post(`/projects/${id}/pipeline`, { ref: 'master' });
  const pipelineId = (made.body as { id: number }).id;
  const job = await db.job.findFirstOrThrow({ where: { pipelineId, name: 'compile' } });
  await move(pipelineId, 'compile', 'running');
  await kept.trace(job, 'make\n\u001b[32mdone\u001b[0m\n');
  const archive = await kept.artifacts(job, files);
  await move(pipelineId, 'compile', 'success');
  for (const name of ['unit', 'lint']) {
    await move(pipelineId, name, 'running');
    await move(pipelineId, name, 'success');
  }
  await as(ada).post(`/projects/${id}/jobs/${await idOf(pipelineId, 'release')}/play`);
  await move(pipelineId, 'release', 'running');
  await move(pipelineId, 'release', 'success');
  const jobs = `/projects/${id}/jobs`;
  return { id, pipelineId, job, archive, jobs, one: `${jobs}/${job.id}` };
}

const idOf = async (pipelineId: number, name: string) =>
  (await db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } })).id;

const app = await fresh('app');
const open = await fresh('open', { visibility: 'public' });
const closed = await fresh('closed', { visibility: 'public', public_jobs: false });
const quiet = await fresh('quiet', { public_jobs: false });

const nothing = { status: 404, body: { message: '404 Not Found' } };

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

const harmless = "default-src 'none'; sandbox";

describe('GET /projects/:id/jobs/:job_id/trace', () => {
  test('is the trace as it stands, as plain text', async () => {
    const response = await as(rita).fetch(`${app.one}/trace`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toBe(
      `inline; filename="${app.job.id}.log"`,
    );
    expect(response.headers.get('Content-Security-Policy')).toBe(harmless);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Content-Length')).toBe('19');
    expect(await response.text()).toBe('make\n\u001b[32mdone\u001b[0m\n');
  });

  test('grows while the job runs', async () => {
    const made = await as(ada).post(`/projects/${app.id}/pipeline`, { ref: 'master' });
    const pipelineId = (made.body as { id: number }).id;
    const place = { id: await idOf(pipelineId, 'compile'), projectId: app.id };
    const read = async () => (await as(rita).get(`${app.jobs}/${place.id}/trace`)).body;
    await move(pipelineId, 'compile', 'running');
    await kept.trace(place, 'one\n');
    expect(await read()).toBe('one\n');
    await kept.trace(place, 'one\ntwo\n');
    expect(await read()).toBe('one\ntwo\n');
    await db.pipeline.delete({ where: { id: pipelineId } });
  });

  test('is empty where nothing was told', async () => {
    const id = await idOf(app.pipelineId, 'unit');
    const response = await as(rita).fetch(`${app.jobs}/${id}/trace`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  test('is for those who may see the job', async () => {
    const trace = `${app.one}/trace`;
    expect(await as(null).get(trace)).toEqual(refused.anonymous);
    expect(await as(null).get(`${open.one}/trace`)).toEqual(refused.anonymous);
    expect(await as(sam).get(trace)).toEqual(refused.missing('Project'));
    expect((await as(sam).get(`${open.one}/trace`)).status).toBe(200);
    expect(await as(sam).get(`${closed.one}/trace`)).toEqual(refused.forbidden);
    expect(await as(gus).get(`${quiet.one}/trace`)).toEqual(refused.forbidden);
    for (const person of [rita, dan, ada, root]) {
      expect((await as(person).get(`${quiet.one}/trace`)).status).toBe(200);
    }
    expect(await as(rita).get(`${open.jobs}/${app.job.id}/trace`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/0/trace`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/x/trace`)).toEqual(
      refused.parameter('job_id is invalid'),
    );
  });
});

const archives = [
  ['/projects/:id/jobs/:job_id/artifacts', (place: typeof app) => `${place.one}/artifacts`],
  [
    '/projects/:id/jobs/artifacts/:ref_name/download',
    ({ jobs }: typeof app) => `${jobs}/artifacts/master/download?job=compile`,
  ],
] as const;

describe.each(archives)('GET %s', (_path, pathOf) => {
  test('is the archive, to be saved', async () => {
    const response = await as(rita).fetch(pathOf(app));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(response.headers.get('Content-Disposition')).toBe(
      'attachment; filename="artifacts.zip"',
    );
    expect(response.headers.get('Content-Length')).toBe(String(app.archive.length));
    expect(await bytesOf(response)).toEqual(app.archive);
  });

  test('tells its size to who does not fetch it', async () => {
    const response = await as(rita).fetch(pathOf(app), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe(String(app.archive.length));
  });

  test('is there for everybody who sees the project, where jobs are public', async () => {
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
  test('refuses what is not there, or is kept no longer', async () => {
    const unit = await idOf(app.pipelineId, 'unit');
    expect(await as(rita).get(`${app.jobs}/${unit}/artifacts`)).toEqual(nothing);
    expect(await as(rita).get(`${app.jobs}/0/artifacts`)).toEqual(refused.record);
    expect(await as(rita).get(`${open.jobs}/${app.job.id}/artifacts`)).toEqual(refused.record);
    expect(await as(rita).get(`${app.jobs}/x/artifacts`)).toEqual(
      refused.parameter('job_id is invalid'),
    );
    const { job, one } = await fresh('stale');
    await kept.artifacts(job, files, new Date(0));
    expect(await as(rita).get(`${one}/artifacts`)).toEqual(nothing);
    expect(await as(rita).get(`${one}/artifacts/notes.txt`)).toEqual(nothing);
  });
});

const entries = [
  [
    '/projects/:id/jobs/:job_id/artifacts/*artifact_path',
    (path: string) => `${app.one}/artifacts/${path}`,
  ],
  [
    '/projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path',
    (path: string) => `${app.jobs}/artifacts/master/raw/${path}?job=compile`,
  ],
] as const;

describe.each(entries)('GET %s', (_path, pathOf) => {
  test.each(['out/report%20one.html', 'out%2Freport%20one.html'])(
    'is one file, %s, that runs in no browser',
    async (path) => {
      const response = await as(rita).fetch(pathOf(path));
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('Content-Disposition')).toBe(
        'inline; filename="report one.html"',
      );
      expect(response.headers.get('Content-Security-Policy')).toBe(harmless);
      expect(await response.text()).toBe('<script>alert(1)</script>');
    },
  );

  test('is bytes to be saved where it is no text', async () => {
    const response = await as(rita).fetch(pathOf('bin/app'));
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="app"');
    expect(response.headers.get('Content-Length')).toBe('4');
    expect(await bytesOf(response)).toEqual(files['bin/app']);
  });

  test('is there by any name', async () => {
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
  ])('refuses %s, which is no file in it', async (path) => {
    expect(await as(rita).get(pathOf(path))).toEqual(nothing);
  });
});

test('a single file is there for whom the archive is', async () => {
  const pathOf = ({ one }: typeof app) => `${one}/artifacts/notes.txt`;
  expect((await as(null).get(pathOf(open))).status).toBe(200);
  expect(await as(null).get(pathOf(closed))).toEqual(refused.anonymous);
  expect(await as(sam).get(pathOf(closed))).toEqual(refused.forbidden);
  expect(await as(null).get(pathOf(app))).toEqual(refused.missing('Project'));
  expect(await as(gus).get(pathOf(quiet))).toEqual(refused.forbidden);
});

describe('GET /projects/:id/jobs/artifacts/:ref_name/download', () => {
  const pathOf = (ref: string, query = '?job=compile') =>
    `${app.jobs}/artifacts/${ref}/download${query}`;

  test('is of the newest pipeline that was a success', async () => {
    const made = await as(ada).post(`/projects/${app.id}/pipeline`, { ref: 'master' });
    const pipelineId = (made.body as { id: number }).id;
    const later = { id: await idOf(pipelineId, 'compile'), projectId: app.id };
    const archive = await kept.artifacts(later, { 'later.txt': 'later\n' });
    expect(await bytesOf(await as(rita).fetch(pathOf('master')))).toEqual(app.archive);
    await db.pipeline.update({ where: { id: pipelineId }, data: { status: 'success' } });
    expect(await bytesOf(await as(rita).fetch(pathOf('master')))).toEqual(archive);
    await db.pipeline.delete({ where: { id: pipelineId } });
  });

  test('is of the branch where a tag is called the same, and of a tag where no branch is', async () => {
    await as(dan).post(`/projects/${app.id}/repository/tags`, {
      tag_name: 'master',
      ref: 'master',
    });
    const made = await as(ada).post(`/projects/${app.id}/pipeline`, { ref: 'refs/tags/master' });
    const pipelineId = (made.body as { id: number }).id;
    const foreign = { id: await idOf(pipelineId, 'compile'), projectId: app.id };
    const archive = await kept.artifacts(foreign, { 'bin/app': 'foreign\n' });
    await db.pipeline.update({ where: { id: pipelineId }, data: { status: 'success' } });
    expect(await bytesOf(await as(rita).fetch(pathOf('master')))).toEqual(app.archive);
    await db.pipeline.update({ where: { id: pipelineId }, data: { ref: 'v1' } });
    expect(await bytesOf(await as(rita).fetch(pathOf('v1')))).toEqual(archive);
    await db.pipeline.delete({ where: { id: pipelineId } });
  });

  test('takes branches with slashes, encoded or not', async () => {
    await db.pipeline.update({ where: { id: app.pipelineId }, data: { ref: 'feature/x.y' } });
    for (const ref of ['feature/x.y', 'feature%2Fx.y', 'feature%2Fx%2Ey']) {
      expect((await as(rita).fetch(pathOf(ref))).status).toBe(200);
    }
    await db.pipeline.update({ where: { id: app.pipelineId }, data: { ref: 'master' } });
  });

  test('refuses what is not there', async () => {
    expect(await as(rita).get(pathOf('nowhere'))).toEqual(refused.record);
    expect(await as(rita).get(pathOf('master', '?job=none'))).toEqual(refused.record);
    expect(await as(rita).get(pathOf('master', '?job=unit'))).toEqual(nothing);
    expect(await as(rita).get(pathOf('master', ''))).toEqual(refused.parameter('job is missing'));
  });
});
