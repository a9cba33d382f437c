import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { world } from '../support/world.ts';

const folder = await workTree({ 'a.txt': '1' });
const first = await git(folder, 'rev-parse', 'HEAD');
const second = await commit(folder, { 'a.txt': '2' }, 'Second');
await git(folder, 'checkout', '--quiet', '-b', 'other', first);
const aside = await commit(folder, { 'a.txt': '3' }, 'Aside');
afterAll(() => rm(folder, { recursive: true }));

const texts = {
  push: 'You are not allowed to push code to protected branches on this project.',
  delete: 'Only a project master or owner can delete a protected branch.',
  default: 'The default branch of a project cannot be deleted.',
  force: 'You are not allowed to force push code to a protected branch on this project.',
  tag: 'You are not allowed to change existing tags on this project.',
} as const;

type Outcome = keyof typeof texts | 'done';

describe.each([0, 1, 2, 3])('default_branch_protection %i', async (protection) => {
  const { as, root, seed, db, remote } = await world({
    settings: { defaultBranchProtection: protection },
  });
  const master = await seed.user('master');
  const developer = await seed.user('developer');
  const roles = { master, developer };
  await seed.group('acme');

  /** The outcome of a push: done, or the error that git prints. */
  const pushes = async (project: string, username: keyof typeof users, ...refspecs: string[]) => {
    const address = remote(`acme/${project}`, users[username]);
    const { code, stderr } = await tryGit(folder, 'push', address, ...refspecs);
    if (code === 0) return 'done';
    const rejection = Object.entries(texts).find(([, text]) => stderr.includes(text));
    expect(stderr).toContain('pre-receive hook declined');
    return rejection?.[0] ?? stderr;
  };
  const users = { master, developer };

  test('the setting decides which level can push the first branch', async () => {
    const { id } = await seed.project('acme/first', roles);
    const allowed: Outcome = protection >= 2 ? 'push' : 'done';
    expect(await pushes('first', 'developer', `${first}:refs/heads/main`)).toBe(allowed);
    expect(await pushes('first', 'master', `${first}:refs/heads/main`)).toBe('done');
    const levels = [
      [],
      [{ name: 'main', pushAccessLevel: 30, mergeAccessLevel: 40 }],
      [{ name: 'main', pushAccessLevel: 40, mergeAccessLevel: 40 }],
      [{ name: 'main', pushAccessLevel: 40, mergeAccessLevel: 30 }],
    ][protection];
    expect(
      await db.protectedBranch.findMany({
        where: { projectId: id },
        select: { name: true, pushAccessLevel: true, mergeAccessLevel: true },
      }),
    ).toEqual(levels);
  });

  test('a default branch set before the first push is also protected', async () => {
    const { id } = await seed.project('acme/named', roles);
    await as(root).put(`/projects/${id}`, { default_branch: 'master' });
    const allowed: Outcome = protection >= 2 ? 'push' : 'done';
    expect(await pushes('named', 'developer', `${first}:refs/heads/master`)).toBe(allowed);
    expect(await pushes('named', 'master', `${first}:refs/heads/master`)).toBe('done');
    const rules = await db.protectedBranch.count({ where: { projectId: id, name: 'master' } });
    expect(rules).toBe(protection === 0 ? 0 : 1);
  });

  const developersMay: Readonly<Record<string, readonly Outcome[]>> = {
    // protection 0, 1, 2, 3
    move: ['done', 'done', 'push', 'push'],
    force: ['done', 'force', 'force', 'force'],
    delete: ['default', 'default', 'default', 'default'],
  };

  test.each(['move', 'force', 'delete'])(
    'the setting decides whether a developer can %s the default branch',
    async (what) => {
      const project = `${what}-developer`;
      await seed.project(`acme/${project}`, roles);
      await pushes(project, 'master', `${first}:refs/heads/master`);
      if (what === 'force') await pushes(project, 'master', `${second}:refs/heads/master`);
      const refspec = {
        move: `${second}:refs/heads/master`,
        force: `+${aside}:refs/heads/master`,
        delete: ':refs/heads/master',
      }[what];
      expect(await pushes(project, 'developer', refspec ?? '')).toBe(
        developersMay[what]?.[protection],
      );
    },
  );

  test('a master can do anything except delete it', async () => {
    await seed.project('acme/mastered', roles);
    expect(await pushes('mastered', 'master', `${second}:refs/heads/master`)).toBe('done');
    expect(await pushes('mastered', 'master', `+${aside}:refs/heads/master`)).toBe('done');
    expect(await pushes('mastered', 'master', ':refs/heads/master')).toBe('default');
  });

  test('developers can change other branches', async () => {
    await seed.project('acme/topic', roles);
    await pushes('topic', 'master', `${first}:refs/heads/master`);
    for (const refspec of [
      `${second}:refs/heads/topic`,
      `+${aside}:refs/heads/topic`,
      ':refs/heads/topic',
    ]) {
      expect(await pushes('topic', 'developer', refspec)).toBe('done');
    }
  });
});

describe('rules independent of the setting', async () => {
  const { seed, db, remote, as } = await world();
  const master = await seed.user('master');
  const developer = await seed.user('developer');
  await seed.group('acme');
  const { id } = await seed.project('acme/app', { master, developer });
  const push = (user: typeof master, ...refspecs: string[]) =>
    tryGit(folder, 'push', remote('acme/app', user), ...refspecs);
  await push(master, `${first}:refs/heads/master`, `${first}:refs/heads/release/1`);
  await db.protectedBranch.createMany({
    data: [
      { projectId: id, name: 'release/*' },
      { projectId: id, name: 'frozen', pushAccessLevel: 0 },
    ],
  });

  test('a wildcard rule protects matching branches', async () => {
    expect((await push(developer, `${second}:refs/heads/release/1`)).stderr).toContain(texts.push);
    expect((await push(developer, ':refs/heads/release/1')).stderr).toContain(texts.delete);
    expect((await push(developer, `+${aside}:refs/heads/release/1`)).code).not.toBe(0);
    expect((await push(master, `+${aside}:refs/heads/release/1`)).code).toBe(0);
    expect((await push(master, ':refs/heads/release/1')).code).toBe(0);
  });

  test('a master cannot push to a branch with push level 0', async () => {
    expect((await push(master, `${first}:refs/heads/frozen`)).stderr).toContain(texts.push);
  });

  test('a developer can create tags, a master can change them', async () => {
    expect((await push(developer, `${first}:refs/tags/v1`)).code).toBe(0);
    expect((await push(developer, `+${second}:refs/tags/v1`)).stderr).toContain(texts.tag);
    expect((await push(developer, ':refs/tags/v1')).stderr).toContain(texts.tag);
    expect((await push(master, `+${second}:refs/tags/v1`)).code).toBe(0);
    expect((await push(master, ':refs/tags/v1')).code).toBe(0);
  });

  test('one rejected reference rejects the whole push', async () => {
    const { code, stderr } = await push(
      developer,
      `${second}:refs/heads/fine`,
      `${second}:refs/heads/master`,
    );
    expect(code).not.toBe(0);
    expect(stderr.match(/pre-receive hook declined/g)).toHaveLength(2);
    const refs = await git(folder, 'ls-remote', '--heads', remote('acme/app', developer));
    expect(refs).toBe(`${first}\trefs/heads/master`);
    expect(await db.push.count()).toBe(0);
  });

  test('a member who loses the access level cannot push', async () => {
    await as(master).put(`/projects/${id}/members/${developer.id}`, { access_level: 20 });
    const { code, stderr } = await push(developer, `${second}:refs/heads/late`);
    expect(code).not.toBe(0);
    expect(stderr).toContain('403');
  });
});
