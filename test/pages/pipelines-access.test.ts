import { describe, expect, test } from 'vitest';
import { ciProject } from '../support/ci-pages.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt, withoutNonce } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, db } = server;
const ada = await seed.user('ada');
const [dan, rae, gus, bob] = [
  await seed.user('dan'),
  await seed.user('rae'),
  await seed.user('gus'),
  await seed.user('bob'),
];
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { developer: dan, reporter: rae, guest: gus };
const createProject = (path: string, settings: object) =>
  ciProject(server, { path, roles, settings });
const open = await createProject('acme/open', { visibility: 'public' });
const closed = await createProject('acme/closed', { visibility: 'public', public_jobs: false });
const secret = await createProject('acme/secret', { visibility: 'private', public_jobs: false });

const signedIn = async (user: TestUser) => {
  const visitor = visitorAt(server.url);
  await visitor.signIn(user);
  return visitor;
};
const visitors = {
  anonymous: visitorAt(server.url),
  outsider: await signedIn(bob),
  guest: await signedIn(gus),
  reporter: await signedIn(rae),
  developer: await signedIn(dan),
  owner: await signedIn(ada),
  admin: await signedIn(server.root),
};
type Caller = keyof typeof visitors;
const callers = Object.keys(visitors) as Caller[];

/** Creates a pipeline whose first job has a trace and artifacts; gives its pages. */
async function finishedJob(project: typeof open) {
  const id = await project.pipeline(dan);
  const job = await project.job(id, 'compile');
  await project.move(id, 'compile', 'running');
  await project.writeTrace(job, 'the trace\n');
  await project.storeArtifacts(job, Buffer.from('PK\x03\x04'));
  await project.move(id, 'compile', 'success');
  const root = `/${project.path}`;
  const shown = [`${root}/pipelines`, `${root}/pipelines/${id}`, `${root}/-/jobs/${job}`];
  return { id, job, root, shown: [...shown, `${root}/-/jobs/${job}/raw`] };
}

const statusesOf = async (address: string) =>
  Object.fromEntries(
    await Promise.all(
      callers.map(
        async (caller) => [caller, (await visitors[caller].get(address)).status] as const,
      ),
    ),
  );

describe('pages of pipelines and jobs', async () => {
  const [publicJobs, membersOnly, privateProject] = [
    await finishedJob(open),
    await finishedJob(closed),
    await finishedJob(secret),
  ];

  test('are visible to every signed-in user if jobs are public', async () => {
    for (const address of publicJobs.shown) {
      expect([address, await statusesOf(address)]).toEqual([
        address,
        {
          anonymous: 302,
          outsider: 200,
          guest: 200,
          reporter: 200,
          developer: 200,
          owner: 200,
          admin: 200,
        },
      ]);
    }
  });

  test('are visible to reporters if jobs are not public', async () => {
    for (const address of membersOnly.shown) {
      expect([address, await statusesOf(address)]).toEqual([
        address,
        {
          anonymous: 302,
          outsider: 403,
          guest: 403,
          reporter: 200,
          developer: 200,
          owner: 200,
          admin: 200,
        },
      ]);
    }
    for (const caller of ['anonymous', 'outsider', 'guest'] as const) {
      const { text } = await visitors[caller].get(`${membersOnly.root}/branches`);
      expect(text).toContain('Initial commit');
      expect(text).not.toMatch(/pipelines|badge status/);
    }
  });

  test('look missing to users who cannot see the project', async () => {
    for (const address of privateProject.shown) {
      expect([address, await statusesOf(address)]).toEqual([
        address,
        {
          anonymous: 404,
          outsider: 404,
          guest: 403,
          reporter: 200,
          developer: 200,
          owner: 200,
          admin: 200,
        },
      ]);
      const absent = await visitors.outsider.get(address.replace('secret', 'vacant'));
      const { text } = await visitors.outsider.get(address);
      expect(withoutNonce(text).replaceAll('secret', 'vacant')).toBe(withoutNonce(absent.text));
    }
  });

  test('offer artifacts to anonymous users if jobs are public', async () => {
    const of = ({ root, job }: typeof publicJobs) => `${root}/-/jobs/${job}/artifacts/download`;
    const { headers, text } = await visitors.anonymous.get(of(publicJobs));
    expect(text).toBe('PK\x03\x04');
    expect(headers.get('Content-Type')).toBe('application/octet-stream');
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="artifacts.zip"');
    expect((await visitors.anonymous.get(of(membersOnly))).status).toBe(302);
    expect((await visitors.guest.get(of(membersOnly))).status).toBe(403);
    expect((await visitors.reporter.get(of(membersOnly))).status).toBe(200);
    expect((await visitors.outsider.get(of(privateProject))).status).toBe(404);
  });

  test('offer the actions that the user is allowed to perform', async () => {
    const [, , page = ''] = publicJobs.shown;
    const offers = async (caller: Caller) =>
      [
        ...(await visitors[caller].get(page)).text.matchAll(/action="[^"]*\/-\/jobs\/\d+\/(\w+)"/g),
      ].map(([, step]) => step);
    expect(await offers('outsider')).toEqual([]);
    expect(await offers('guest')).toEqual([]);
    expect(await offers('reporter')).toEqual([]);
    expect(await offers('developer')).toEqual(['retry', 'erase']);
    expect(await offers('owner')).toEqual(['retry', 'erase']);
    await db.job.update({ where: { id: publicJobs.job }, data: { userId: ada.id } });
    expect(await offers('developer')).toEqual(['retry']);
    expect(await offers('admin')).toEqual(['retry', 'erase']);
  });

  test('offer no actions to developers on a protected branch', async () => {
    const rule = { projectId: open.id, name: 'master', pushAccessLevel: 40, mergeAccessLevel: 40 };
    const { id } = await db.protectedBranch.create({ data: rule });
    const forms = async (caller: Caller, address: string) =>
      /action="[^"]*\/-\//.test((await visitors[caller].get(address)).text);
    for (const address of publicJobs.shown.slice(1, 3)) {
      expect([address, await forms('developer', address)]).toEqual([address, false]);
      expect([address, await forms('owner', address)]).toEqual([address, true]);
    }
    const step = `${publicJobs.root}/-/pipelines/${publicJobs.id}/cancel`;
    expect((await visitors.developer.submit(step)).status).toBe(403);
    await db.protectedBranch.delete({ where: { id } });
  });
});

describe('the pipeline of a merge request', () => {
  test('is hidden from users who cannot see its project', async () => {
    const { id } = await finishedJob(secret);
    const input = { source_branch: 'topic', target_branch: 'master', title: 'Topic' };
    const { body } = await server.as(dan).post(`/projects/${open.id}/merge_requests`, input);
    const mergeRequest = body as { readonly id: number; readonly iid: number };
    // as for a merge request from a fork
    await db.project.update({ where: { id: secret.id }, data: { publicJobs: true } });
    const data = { sourceProjectId: secret.id, sha: secret.sha };
    await db.mergeRequest.update({ where: { id: mergeRequest.id }, data });
    const address = `/${open.path}/merge_requests/${mergeRequest.iid}`;
    const link = `href="/${secret.path}/pipelines/${id}"`;
    expect((await visitors.developer.get(address)).text).toContain(link);
    const { status, text } = await visitors.outsider.get(address);
    expect([status, text.includes('/pipelines/')]).toEqual([200, false]);
    await db.project.update({ where: { id: secret.id }, data: { publicJobs: false } });
  });
});

describe('a form', async () => {
  const { root, id, job } = await finishedJob(secret);
  const steps = [
    `${root}/-/pipelines/${id}/cancel`,
    `${root}/-/pipelines/${id}/retry`,
    `${root}/-/jobs/${job}/retry`,
    `${root}/-/jobs/${job}/cancel`,
    `${root}/-/jobs/${job}/play`,
    `${root}/-/jobs/${job}/erase`,
  ];

  test.each(steps)('%s is rejected without the required role', async (step) => {
    const { status, location } = await visitors.anonymous.submit(step);
    expect([status, location]).toEqual([303, '/users/sign_in?return_to=%2Fprofile']);
    expect((await visitors.outsider.submit(step)).status).toBe(404);
    expect((await visitors.guest.submit(step)).status).toBe(403);
    expect((await visitors.reporter.submit(step)).status).toBe(403);
  });

  test.each(steps)('%s is rejected from other sites and without a form token', async (step) => {
    const { developer } = visitors;
    expect((await developer.post(step, { unused: '1' })).status).toBe(403);
    expect((await developer.post(step, { authenticity_token: 'x' })).status).toBe(403);
    const from = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await developer.submit(step, {}, from)).status).toBe(403);
    expect([302, 404]).toContain((await developer.get(step)).status);
    expect((await db.job.findUniqueOrThrow({ where: { id: job } })).status).toBe('success');
  });

  test('redirects to the changed pipeline or job', async () => {
    const { developer } = visitors;
    const submit = async (step: string) => {
      const { status, location } = await developer.submit(step);
      return [status, location];
    };
    expect(await submit(`${root}/-/pipelines/${id}/cancel`)).toEqual([
      303,
      `${root}/pipelines/${id}`,
    ]);
    expect(await submit(`${root}/-/pipelines/${id}/retry`)).toEqual([
      303,
      `${root}/pipelines/${id}`,
    ]);
    expect(await submit(`${root}/-/jobs/${job}/erase`)).toEqual([303, `${root}/-/jobs/${job}`]);
    const [status, location] = await submit(`${root}/-/jobs/${job}/retry`);
    const retriedJob = await secret.job(id, 'compile');
    expect([status, location]).toEqual([303, `${root}/-/jobs/${retriedJob}`]);
    expect(retriedJob).not.toBe(job);
  });

  test('for an action that is no longer possible shows an error', async () => {
    const { developer } = visitors;
    expect((await developer.submit(`${root}/-/jobs/${job}/retry`)).status).toBe(403);
    expect((await developer.submit(`${root}/-/jobs/${job}/erase`)).status).toBe(403);
    const { status, text } = await developer.submit(`${root}/-/jobs/${job}/play`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).toContain('<h1>');
  });

  test.each([
    `${root}/-/jobs/999999999/retry`,
    `${root}/-/jobs/${job}/delete`,
    `${root}/-/pipelines/${id}/erase`,
    `${root}/-/jobs/0/retry`,
    '/acme/-/jobs/1/retry',
    '/acme/vacant/-/pipelines/1/retry',
  ])('%s responds with 404', async (step) => {
    expect((await visitors.owner.submit(step)).status).toBe(404);
  });
});
