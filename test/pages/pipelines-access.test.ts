import { describe, expect, test } from 'vitest';
import { ciProject } from '../support/ci-pages.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const all = await world();
const { seed, db } = all;
const ada = await seed.user('ada');
const [dan, rae, gus, bob] = [
  await seed.user('dan'),
  await seed.user('rae'),
  await seed.user('gus'),
  await seed.user('bob'),
];
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { developer: dan, reporter: rae, guest: gus };
const made = (path: string, settings: object) => ciProject(all, { path, roles, settings });
const open = await made('acme/open', { visibility: 'public' });
const closed = await made('acme/closed', { visibility: 'public', public_jobs: false });
const secret = await made('acme/secret', { visibility: 'private', public_jobs: false });

const signedIn = async (person: TestUser) => {
  const visitor = visitorAt(all.url);
  await visitor.signIn(person);
  return visitor;
};
const visitors = {
  nobody: visitorAt(all.url),
  stranger: await signedIn(bob),
  guest: await signedIn(gus),
  reporter: await signedIn(rae),
  developer: await signedIn(dan),
  owner: await signedIn(ada),
  admin: await signedIn(all.root),
};
type Who = keyof typeof visitors;
const everybody = Object.keys(visitors) as Who[];

/** A pipeline whose first job has written something and left something. */
async function ran(place: typeof open) {
  const id = await place.pipeline(dan);
  const job = await place.job(id, 'compile');
  await place.move(id, 'compile', 'running');
  await place.writeTrace(job, 'the trace\n');
  await place.leaveArtifacts(job, Buffer.from('PK\x03\x04'));
  await place.move(id, 'compile', 'success');
  const root = `/${place.path}`;
  const shown = [`${root}/pipelines`, `${root}/pipelines/${id}`, `${root}/-/jobs/${job}`];
  return { id, job, root, shown: [...shown, `${root}/-/jobs/${job}/raw`] };
}

const told = async (address: string) =>
  Object.fromEntries(
    await Promise.all(
      everybody.map(async (who) => [who, (await visitors[who].get(address)).status] as const),
    ),
  );

describe('pages of pipelines and jobs', async () => {
  const [there, kept, hidden] = [await ran(open), await ran(closed), await ran(secret)];

  test('are shown where jobs are public to everybody who is signed in', async () => {
    for (const address of there.shown) {
      expect([address, await told(address)]).toEqual([
        address,
        {
          nobody: 302,
          stranger: 200,
          guest: 200,
          reporter: 200,
          developer: 200,
          owner: 200,
          admin: 200,
        },
      ]);
    }
  });

  test('are shown from reporters on where they are not', async () => {
    for (const address of kept.shown) {
      expect([address, await told(address)]).toEqual([
        address,
        {
          nobody: 302,
          stranger: 403,
          guest: 403,
          reporter: 200,
          developer: 200,
          owner: 200,
          admin: 200,
        },
      ]);
    }
    for (const who of ['nobody', 'stranger', 'guest'] as const) {
      const { text } = await visitors[who].get(`${kept.root}/branches`);
      expect(text).toContain('Initial commit');
      expect(text).not.toMatch(/pipelines|badge status/);
    }
  });

  test('are not there for who does not see the project', async () => {
    for (const address of hidden.shown) {
      expect([address, await told(address)]).toEqual([
        address,
        {
          nobody: 404,
          stranger: 404,
          guest: 403,
          reporter: 200,
          developer: 200,
          owner: 200,
          admin: 200,
        },
      ]);
      const absent = await visitors.stranger.get(address.replace('secret', 'vacant'));
      const { text } = await visitors.stranger.get(address);
      expect(text.replaceAll('secret', 'vacant')).toBe(absent.text);
    }
  });

  test('give artifacts to everybody where jobs are public', async () => {
    const of = ({ root, job }: typeof there) => `${root}/-/jobs/${job}/artifacts/download`;
    const { headers, text } = await visitors.nobody.get(of(there));
    expect(text).toBe('PK\x03\x04');
    expect(headers.get('Content-Type')).toBe('application/octet-stream');
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="artifacts.zip"');
    expect((await visitors.nobody.get(of(kept))).status).toBe(302);
    expect((await visitors.guest.get(of(kept))).status).toBe(403);
    expect((await visitors.reporter.get(of(kept))).status).toBe(200);
    expect((await visitors.stranger.get(of(hidden))).status).toBe(404);
  });

  test('offer what may be done to those who may do it', async () => {
    const [, , page = ''] = there.shown;
    const offers = async (who: Who) =>
      [
        ...(await visitors[who].get(page)).text.matchAll(/action="[^"]*\/-\/jobs\/\d+\/(\w+)"/g),
      ].map(([, step]) => step);
    expect(await offers('stranger')).toEqual([]);
    expect(await offers('guest')).toEqual([]);
    expect(await offers('reporter')).toEqual([]);
    expect(await offers('developer')).toEqual(['retry', 'erase']);
    expect(await offers('owner')).toEqual(['retry', 'erase']);
    await db.job.update({ where: { id: there.job }, data: { userId: ada.id } });
    expect(await offers('developer')).toEqual(['retry']);
    expect(await offers('admin')).toEqual(['retry', 'erase']);
  });

  test('offer nothing on a branch that is protected', async () => {
    const rule = { projectId: open.id, name: 'master', pushAccessLevel: 40, mergeAccessLevel: 40 };
    const { id } = await db.protectedBranch.create({ data: rule });
    const forms = async (who: Who, address: string) =>
      /action="[^"]*\/-\//.test((await visitors[who].get(address)).text);
    for (const address of there.shown.slice(1, 3)) {
      expect([address, await forms('developer', address)]).toEqual([address, false]);
      expect([address, await forms('owner', address)]).toEqual([address, true]);
    }
    const step = `${there.root}/-/pipelines/${there.id}/cancel`;
    expect((await visitors.developer.submit(step)).status).toBe(403);
    await db.protectedBranch.delete({ where: { id } });
  });
});

describe('the pipeline of a merge request', () => {
  test('is not told of to whom its project is hidden', async () => {
    const { id } = await ran(secret);
    const asked = { source_branch: 'topic', target_branch: 'master', title: 'Topic' };
    const { body } = await all.as(dan).post(`/projects/${open.id}/merge_requests`, asked);
    const offer = body as { readonly id: number; readonly iid: number };
    // as if it came from there
    await db.project.update({ where: { id: secret.id }, data: { publicJobs: true } });
    const data = { sourceProjectId: secret.id, sha: secret.sha };
    await db.mergeRequest.update({ where: { id: offer.id }, data });
    const address = `/${open.path}/merge_requests/${offer.iid}`;
    const link = `href="/${secret.path}/pipelines/${id}"`;
    expect((await visitors.developer.get(address)).text).toContain(link);
    const { status, text } = await visitors.stranger.get(address);
    expect([status, text.includes('/pipelines/')]).toEqual([200, false]);
    await db.project.update({ where: { id: secret.id }, data: { publicJobs: false } });
  });
});

describe('a form', async () => {
  const { root, id, job } = await ran(secret);
  const steps = [
    `${root}/-/pipelines/${id}/cancel`,
    `${root}/-/pipelines/${id}/retry`,
    `${root}/-/jobs/${job}/retry`,
    `${root}/-/jobs/${job}/cancel`,
    `${root}/-/jobs/${job}/play`,
    `${root}/-/jobs/${job}/erase`,
  ];

  test.each(steps)('%s is refused from whom it is not for', async (step) => {
    const { status, location } = await visitors.nobody.submit(step);
    expect([status, location]).toEqual([303, '/users/sign_in?return_to=%2Fprofile']);
    expect((await visitors.stranger.submit(step)).status).toBe(404);
    expect((await visitors.guest.submit(step)).status).toBe(403);
    expect((await visitors.reporter.submit(step)).status).toBe(403);
  });

  test.each(steps)('%s is refused from pages of others', async (step) => {
    const { developer } = visitors;
    expect((await developer.post(step, {})).status).toBe(403);
    expect((await developer.post(step, { authenticity_token: 'x' })).status).toBe(403);
    const from = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await developer.submit(step, {}, from)).status).toBe(403);
    expect([302, 404]).toContain((await developer.get(step)).status);
    expect((await db.job.findUniqueOrThrow({ where: { id: job } })).status).toBe('success');
  });

  test('leads to what it did', async () => {
    const { developer } = visitors;
    const led = async (step: string) => {
      const { status, location } = await developer.submit(step);
      return [status, location];
    };
    expect(await led(`${root}/-/pipelines/${id}/cancel`)).toEqual([303, `${root}/pipelines/${id}`]);
    expect(await led(`${root}/-/pipelines/${id}/retry`)).toEqual([303, `${root}/pipelines/${id}`]);
    expect(await led(`${root}/-/jobs/${job}/erase`)).toEqual([303, `${root}/-/jobs/${job}`]);
    const [status, location] = await led(`${root}/-/jobs/${job}/retry`);
    const again = await secret.job(id, 'compile');
    expect([status, location]).toEqual([303, `${root}/-/jobs/${again}`]);
    expect(again).not.toBe(job);
  });

  test('of what cannot be done any more says so', async () => {
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
  ])('%s is about nothing', async (step) => {
    expect((await visitors.owner.submit(step)).status).toBe(404);
  });
});
