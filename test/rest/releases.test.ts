import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { git, tryGit, workTree } from '../support/git.ts';
import { startAnother } from '../support/server-here.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, db, databaseUrl, dataFolder, seed, root, remote } = await world();
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const bob = await seed.user('bob');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const roles = { master: ada, developer: dev, reporter: bob };
const { id: app } = await seed.project('acme/app', roles, { visibility: 'public' });
const { id: closed } = await seed.project('acme/closed', roles);
const tags = `/projects/${app}/repository/tags`;
const notes = `${tags}/v%2F1.0/release`;

const folder = await workTree({ 'README.md': '# App\n' });
const first = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'tag', 'v/1.0');
await git(folder, 'tag', 'v/2.0');
await git(folder, 'push', '--quiet', remote('acme/app', root), 'master', '--tags');
afterAll(() => rm(folder, { recursive: true }));

const push = (...args: string[]) => tryGit(folder, 'push', remote('acme/app', root), ...args);
const fetchRelease = async (name: string) => {
  const { status, body } = await as(null).get(`${tags}/${encodeURIComponent(name)}`);
  return status === 200 ? (body as { release: unknown }).release : status;
};
const errorWith = (status: number, message: string) => ({ status, body: { message } });
const count = () => db.release.count({ where: { projectId: app } });

describe('POST /projects/:id/repository/tags/:tag_name/release', () => {
  test('a developer adds a release to a tag, and all users see it', async () => {
    const release = { tag_name: 'v/1.0', description: '# One\n\n*Markdown* 😀' };
    expect(await as(dev).post(notes, release)).toEqual({ status: 201, body: release });
    expect(await fetchRelease('v/1.0')).toEqual(release);
    expect((await as(null).get(tags)).body).toEqual([
      expect.objectContaining({ name: 'v/2.0', release: null }),
      expect.objectContaining({ name: 'v/1.0', release }),
    ]);
  });

  test('a second release of a tag gives 409', async () => {
    expect(await as(ada).post(notes, { description: 'again' })).toEqual(
      refused.conflict('Release already exists'),
    );
  });

  test('one of several concurrent requests creates a release', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        as(dev).post(`${tags}/v%2F2.0/release`, { description: `by ${n}` }),
      ),
    );
    const [created, ...before] = responses.filter(({ status }) => status === 201);
    expect(before).toEqual([]);
    expect(responses.filter((response) => response !== created)).toEqual(
      Array(7).fill(refused.conflict('Release already exists')),
    );
    expect(await fetchRelease('v/2.0')).toEqual(created?.body);
  });

  test.each(['nothing', 'master', first, '--all', 'a b'])(
    'the missing tag %s gives 404',
    async (name) => {
      expect(
        await as(dev).post(`${tags}/${encodeURIComponent(name)}/release`, { description: 'x' }),
      ).toEqual(errorWith(404, 'Tag does not exist'));
    },
  );
});

describe('PUT /projects/:id/repository/tags/:tag_name/release', () => {
  test('a developer changes the description', async () => {
    const release = { tag_name: 'v/1.0', description: 'Uno' };
    expect(await as(dev).put(notes, { description: 'Uno' })).toEqual({
      status: 200,
      body: release,
    });
    expect(await fetchRelease('v/1.0')).toEqual(release);
  });

  test('a missing tag and a missing release give 404', async () => {
    expect(await as(dev).put(`${tags}/nothing/release`, { description: 'x' })).toEqual(
      errorWith(404, 'Tag does not exist'),
    );
    await as(dev).post(tags, { tag_name: 'bare', ref: 'master' });
    expect(await as(dev).put(`${tags}/bare/release`, { description: 'x' })).toEqual(
      errorWith(404, 'Release does not exist'),
    );
    expect(await fetchRelease('bare')).toBeNull();
  });
});

describe.each(['post', 'put'] as const)('%s of a release', (method) => {
  test('requires a developer', async () => {
    const description = 'x';
    expect(await as(null)[method](notes, { description })).toEqual(refused.anonymous);
    for (const person of [eve, bob]) {
      expect(await as(person)[method](notes, { description })).toEqual(refused.forbidden);
      expect(await as(person)[method](notes, {})).toEqual(refused.forbidden);
    }
    const hidden = `/projects/${closed}/repository/tags/v1/release`;
    expect(await as(eve)[method](hidden, { description })).toEqual(refused.missing('Project'));
  });

  test.each([
    [{}, 'description is missing'],
    [{ description: ' \n' }, 'description is empty'],
    [{ description: 'a\0' }, 'description is invalid'],
    [{ description: ['x'] }, 'description is invalid'],
  ])('%j is rejected: %s', async (input, text) => {
    expect(await as(dev)[method](notes, input)).toEqual(refused.parameter(text));
  });
});

describe('a release and its tag', () => {
  test('stays when the tag is moved, and is deleted when git deletes the tag', async () => {
    const release = { tag_name: 'moved', description: 'x' };
    await as(dev).post(tags, { ...release, ref: 'master', release_description: 'x' });
    await git(folder, 'tag', '--annotate', '--message=m', 'moved', first);
    expect((await push('--force', 'refs/tags/moved')).code).toBe(0);
    expect(await fetchRelease('moved')).toEqual(release);
    const before = await count();
    expect((await push('--delete', 'moved')).code).toBe(0);
    expect([await fetchRelease('moved'), await count()]).toEqual([404, before - 1]);
  });

  test('a new tag does not inherit an orphaned release', async () => {
    for (const make of [
      () => as(dev).post(tags, { tag_name: 'late', ref: 'master' }),
      () => push(`${first}:refs/tags/late`),
    ]) {
      await db.release.create({
        data: { projectId: app, tagName: 'late', description: 'of a deleted tag' },
      });
      expect(await fetchRelease('late')).toBe(404);
      await make();
      expect(await fetchRelease('late')).toBeNull();
      await as(ada).delete(`${tags}/late`);
    }
  });

  test('the next start completes changes that were interrupted by a kill', async () => {
    const project = await db.project.findUniqueOrThrow({ where: { id: app } });
    const bare = join(dataFolder, 'repositories', `${project.diskPath}.git`);
    const zeros = '0'.repeat(40);
    const completed = {
      ref: 'refs/tags/completed',
      before: zeros,
      after: first,
      release: 'from the first',
    };
    const discarded = { ...completed, ref: 'refs/tags/discarded' };
    const deleted = { ref: 'refs/tags/deleted', before: first, after: zeros };
    await db.release.create({ data: { projectId: app, tagName: 'deleted', description: 'x' } });
    for (const change of [completed, discarded, deleted]) {
      await db.push.create({ data: { projectId: app, userId: dev.id, changes: [change] } });
    }
    await git(bare, 'update-ref', completed.ref, first);
    const next = await startAnother({ MILLRACE_DATA: dataFolder, DATABASE_URL: databaseUrl });
    await next.stop();
    expect(await fetchRelease('completed')).toEqual({
      tag_name: 'completed',
      description: 'from the first',
    });
    expect(
      await db.release.findMany({ where: { tagName: { in: ['deleted', 'discarded'] } } }),
    ).toEqual([]);
  });
});
