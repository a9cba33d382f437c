import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { contentOf, lfsClient, randomContent } from '../support/lfs.ts';
import { world } from '../support/world.ts';

/*
 * Debian's git-lfs as users run it.
 */

const { as, seed, root, url, remote, storedKeys } = await world();
const [ada, bob, eve] = [await seed.user('ada'), await seed.user('bob'), await seed.user('eve')];
await seed.group('acme', {});
const picture = randomContent(300_000);

/** A work tree that keeps `*.bin` in LFS, with a remote of this user. */
async function lfsTree(project: string, user: typeof ada, files: Record<string, Buffer>) {
  const folder = await workTree({ 'README.md': '# App' });
  await git(folder, 'lfs', 'install', '--local');
  await git(folder, 'lfs', 'track', '*.bin');
  await git(folder, 'remote', 'add', 'origin', remote(project, user));
  await commit(folder, files, 'Add large files');
  return folder;
}

const clone = async (project: string, user: typeof ada) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-lfs-'));
  await git(folder, 'clone', '--quiet', remote(project, user), 'clone');
  const tree = join(folder, 'clone');
  await git(tree, 'lfs', 'install', '--local');
  return tree;
};

const statisticsOf = async (id: number) => {
  const { body } = await as(root).get(`/projects/${id}?statistics=true`);
  return (body as { statistics: { lfs_objects_size: number } }).statistics;
};

describe('git-lfs', () => {
  test('pushes large files and clones them again', async () => {
    const { id } = await seed.project('acme/app', { master: ada, reporter: bob });
    const folder = await lfsTree('acme/app', ada, { 'picture.bin': picture.bytes });
    await git(folder, 'push', 'origin', 'master');
    const keys = await storedKeys('lfs/');
    expect(keys.filter((key) => !key.startsWith('lfs/tmp/'))).toEqual([
      `lfs/${picture.oid.slice(0, 2)}/${picture.oid.slice(2, 4)}/${picture.oid.slice(4)}`,
    ]);
    expect(await statisticsOf(id)).toMatchObject({ lfs_objects_size: picture.size });

    const copy = await clone('acme/app', bob);
    expect(await readFile(join(copy, 'picture.bin'), 'utf8')).toContain(
      `oid sha256:${picture.oid}`,
    );
    await git(copy, 'lfs', 'pull');
    expect(await readFile(join(copy, 'picture.bin'))).toEqual(picture.bytes);
    const pushed = await tryGit(copy, 'lfs', 'push', '--all', 'origin');
    expect(pushed.code).not.toBe(0);
    expect(pushed.stderr).toContain('You are not allowed to push code to this project.');
  });

  test('stops a push of files that another user has locked', async () => {
    await seed.project('acme/locked', { developer: ada, master: bob });
    await seed.push('acme/locked', { 'README.md': '# Locked' });
    const folder = await lfsTree('acme/locked', ada, { 'model.bin': randomContent(10).bytes });
    await git(folder, 'push', 'origin', 'master:work');
    const others = await clone('acme/locked', bob);
    await git(others, 'checkout', '--quiet', 'work');
    await git(others, 'lfs', 'lock', 'model.bin');
    expect(await git(folder, 'lfs', 'locks')).toMatch(/^model\.bin\s+bob\s+ID:\d+$/);

    await git(folder, 'config', `lfs.${remote('acme/locked', ada)}/info/lfs.locksverify`, 'true');
    await commit(folder, { 'model.bin': randomContent(10).bytes }, 'Change it');
    const refused = await tryGit(folder, 'push', 'origin', 'master:work');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Cannot update locked files.');
    expect(refused.stdout + refused.stderr).toContain('model.bin - bob');
    expect((await tryGit(folder, 'lfs', 'unlock', '--force', 'model.bin')).stderr).toContain(
      'Only masters unlock paths of others',
    );
    await git(others, 'lfs', 'unlock', 'model.bin');
    await git(folder, 'push', 'origin', 'master:work');
  });

  test('clones a fork with the objects of its source', async () => {
    await seed.project('acme/source', { master: ada, reporter: bob });
    const content = randomContent(5_000);
    const folder = await lfsTree('acme/source', ada, { 'data.bin': content.bytes });
    await git(folder, 'push', 'origin', 'master');
    const { body } = await as(bob).post('/projects/acme%2Fsource/fork');
    const { id } = body as { id: number };
    await expect
      .poll(async () => (await as(bob).get(`/projects/${id}`)).body)
      .toMatchObject({ import_status: 'finished' });
    expect(await statisticsOf(id)).toMatchObject({ lfs_objects_size: content.size });
    const copy = await clone('bob/source', bob);
    await git(copy, 'lfs', 'pull');
    expect(await readFile(join(copy, 'data.bin'))).toEqual(content.bytes);
  });

  test('brings commits of the source to a fork without uploading their files', async () => {
    const { id } = await seed.project('acme/upstream', { master: ada, reporter: bob });
    const folder = await lfsTree('acme/upstream', ada, { 'one.bin': randomContent(100).bytes });
    await git(folder, 'push', 'origin', 'master');
    const { body } = await as(bob).post(`/projects/${id}/fork`);
    const fork = body as { id: number };
    await expect
      .poll(async () => (await as(bob).get(`/projects/${fork.id}`)).body)
      .toMatchObject({ import_status: 'finished' });
    const later = randomContent(200);
    await commit(folder, { 'two.bin': later.bytes }, 'Add another');
    await git(folder, 'push', 'origin', 'master');
    const { upload, batch } = lfsClient(url);
    expect(await batch(bob, 'bob/upstream', 'upload', [later])).toMatchObject({
      body: { objects: [{ oid: later.oid, size: later.size }] },
    });
    expect(await statisticsOf(fork.id)).toMatchObject({ lfs_objects_size: 300 });
    expect(await upload(bob, 'bob/upstream', randomContent(7))).toBe(200);
    expect(await statisticsOf(id)).toMatchObject({ lfs_objects_size: 300 });
  });

  test('finds the files of a merge request from a fork after its merge', async () => {
    const { id } = await seed.project('acme/target', { master: ada, reporter: bob });
    await seed.push('acme/target', { 'README.md': '# Target' });
    const { body } = await as(bob).post(`/projects/${id}/fork`);
    const fork = body as { id: number };
    await expect
      .poll(async () => (await as(bob).get(`/projects/${fork.id}`)).body)
      .toMatchObject({ import_status: 'finished' });
    const theirs = await clone('bob/target', bob);
    await git(theirs, 'checkout', '--quiet', '-b', 'work');
    await git(theirs, 'lfs', 'track', '*.bin');
    const [first, second] = [randomContent(1_000), randomContent(2_000)];
    await commit(theirs, { 'a.bin': first.bytes }, 'Add a');
    await commit(theirs, { 'a.bin': second.bytes }, 'Replace a');
    await git(theirs, 'push', 'origin', 'work');
    await git(theirs, 'checkout', '--quiet', '-b', 'private');
    const hidden = randomContent(3_000);
    await commit(theirs, { 'hidden.bin': hidden.bytes }, 'Add a private file');
    await git(theirs, 'push', 'origin', 'private');
    const created = await as(bob).post(`/projects/${fork.id}/merge_requests`, {
      ...{ source_branch: 'work', target_branch: 'master', title: 'Add a' },
      target_project_id: id,
    });
    const { iid } = created.body as { iid: number };
    const merged = await as(ada).put(`/projects/${id}/merge_requests/${iid}/merge`);
    expect(merged).toMatchObject({ status: 200 });
    await expect.poll(() => statisticsOf(id)).toMatchObject({ lfs_objects_size: 3_000 });
    const { download, batch } = lfsClient(url);
    for (const content of [first, second])
      expect(await download(ada, 'acme/target', content)).toEqual(content.bytes);
    expect(await batch(ada, 'acme/target', 'download', [hidden])).toMatchObject({
      body: { objects: [{ error: { code: 404 } }] },
    });
  });

  test('shows why a project without LFS, and one that the user may not see, refuse', async () => {
    await seed.project('acme/plain', { master: ada }, { lfs_enabled: false });
    const folder = await lfsTree('acme/plain', ada, { 'a.bin': contentOf('a').bytes });
    const refused = await tryGit(folder, 'push', 'origin', 'master');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Git LFS is disabled for this project');
    await git(folder, 'remote', 'set-url', 'origin', remote('acme/plain', eve));
    expect((await tryGit(folder, 'lfs', 'push', '--all', 'origin')).stderr).toContain(
      'could not be found',
    );
  });

  test('shows which files are too large', async () => {
    await seed.project('acme/small', { master: ada });
    await as(root).put('/application/settings', { max_lfs_object_size: 0 });
    const folder = await lfsTree('acme/small', ada, { 'a.bin': contentOf('large').bytes });
    const refused = await tryGit(folder, 'push', 'origin', 'master');
    await as(root).put('/application/settings', { max_lfs_object_size: 10_240 });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('An object may have 0 megabytes');
    await git(folder, 'push', 'origin', 'master');
  });

  test('follows a renamed project', async () => {
    const { id } = await seed.project('acme/former', { master: ada });
    const content = randomContent(50);
    const folder = await lfsTree('acme/former', ada, { 'a.bin': content.bytes });
    await git(folder, 'push', 'origin', 'master');
    await as(root).put(`/projects/${id}`, { name: 'Latter', path: 'latter' });
    await writeFile(join(folder, 'b.bin'), randomContent(60).bytes);
    await commit(folder, {}, 'Add b');
    await git(folder, 'lfs', 'push', '--all', 'origin');
    expect(await statisticsOf(id)).toMatchObject({ lfs_objects_size: 110 });
  });
});
