import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../../support/git.ts';
import { world } from '../../support/world.ts';

const it = await world({ variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' } });
const { seed, root, as, db, url, dataFolder, remote } = it;
const master = await seed.user('master');
const developer = await seed.user('developer');

const folder = await workTree({ 'a.txt': 'first', '.gitlab-ci.yml': 'job: {script: [echo]}' });
const first = await git(folder, 'rev-parse', 'HEAD');
const second = await commit(folder, { 'a.txt': 'second' }, 'Second');
afterAll(() => rm(folder, { recursive: true }));

const hex = 'a1b2c3d4e5'.repeat(4);

/** Names that git accepts below refs/heads/ and refs/tags/ and the API rejects. */
const refusedNames = [
  'HEAD',
  '-x',
  '--upload-pack=x',
  '@',
  hex,
  hex.toUpperCase(),
  'refs/x',
  'refs/heads/master',
  `${'n'.repeat(128)}/${'n'.repeat(128)}`,
];

describe('a push', async () => {
  await seed.group('acme', { master, developer });
  const { id } = await seed.project('acme/pushed');
  const address = remote('acme/pushed', developer);
  beforeAll(async () => {
    await git(
      folder,
      'push',
      '--quiet',
      remote('acme/pushed', master),
      `${first}:refs/heads/master`,
    );
  });
  const refsNow = async () =>
    (await git(folder, 'ls-remote', remote('acme/pushed', root))).split('\n');

  test.each(refusedNames)('of branch %s is rejected', async (name) => {
    const { code, stderr } = await tryGit(folder, 'push', address, `${second}:refs/heads/${name}`);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/is not a valid branch name|may not begin with refs\//);
    expect(await refsNow()).toHaveLength(2);
  });

  test.each(refusedNames)('of tag %s is rejected', async (name) => {
    const { code, stderr } = await tryGit(folder, 'push', address, `${second}:refs/tags/${name}`);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/is not a valid tag name|may not begin with refs\//);
    expect(await refsNow()).toHaveLength(2);
  });

  test.each(refusedNames)('rejects the same names as the API: %s', async (name) => {
    const client = as(developer);
    const branch = { branch: name, ref: 'master' };
    expect(await client.post(`/projects/${id}/repository/branches`, branch)).toEqual({
      status: 400,
      body: { message: 'Branch name is invalid' },
    });
    const tag = { tag_name: name, ref: 'master' };
    expect((await client.post(`/projects/${id}/repository/tags`, tag)).status).toBe(405);
    const change = { branch: name, start_branch: 'master', commit_message: 'x', content: 'x' };
    const file = await client.post(`/projects/${id}/repository/files/b.txt`, change);
    expect(file.status).toBe(400);
    const setting = await as(master).put(`/projects/${id}`, { default_branch: name });
    expect(setting.status).toBe(400);
    expect(await refsNow()).toHaveLength(2);
  });

  test('of a name that is not UTF-8 is rejected', async () => {
    const name = Buffer.from([...Buffer.from('refs/heads/x'), 0xff]);
    await writeRef(folder, name, second);
    const { code, stderr } = await tryGit(folder, 'push', address, 'refs/heads/x*:refs/heads/x*');
    expect(code).not.toBe(0);
    expect(stderr).toContain('is not a valid branch name');
    expect(await refsNow()).toHaveLength(2);
  });

  test('leaves HEAD on the default branch', async () => {
    await tryGit(folder, 'push', address, `${second}:refs/heads/HEAD`);
    const commits = await as(developer).get(`/projects/${id}/repository/commits?ref_name=HEAD`);
    expect(commits.body).toMatchObject([{ id: first }]);
  });

  test('accepts Unicode spaces in a name, as the API does', async () => {
    const name = 'wide\u3000space';
    await git(folder, 'push', address, `${second}:refs/heads/${name}`);
    const path = `/projects/${id}/repository/branches/${encodeURIComponent(name)}`;
    expect(await as(developer).get(path)).toMatchObject({ status: 200, body: { name } });
    await git(folder, 'push', address, `:refs/heads/${name}`);
    expect(await as(developer).get(path)).toMatchObject({ status: 404 });
  });
});

/** Writes a reference directly, as an earlier release might have accepted it. */
async function writeRef(repository: string, ref: string | Buffer, id: string): Promise<void> {
  const input = Buffer.concat([Buffer.from('create '), Buffer.from(ref), Buffer.from(`\0${id}\0`)]);
  execFileSync('git', ['-C', repository, 'update-ref', '--stdin', '-z'], { input });
}

describe('a repository with such names', async () => {
  await seed.group('old', { master, developer }, { visibility: 'public' });
  const { id } = await seed.project('old/names', {}, { visibility: 'public' });
  const project = `/projects/${id}`;
  const existing = [
    ...refusedNames,
    'bad\ufffd',
    // longer than any name that is looked up
    Array.from({ length: 12 }, () => 'n'.repeat(100)).join('/'),
  ];
  const labelled = existing.map((name) => ({ name, label: name.slice(0, 50) }));
  let bare = '';
  beforeAll(async () => {
    await git(folder, 'push', '--quiet', remote('old/names', master), `${first}:refs/heads/master`);
    const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
    bare = join(dataFolder, 'repositories', `${diskPath}.git`);
    await git(folder, 'push', '--quiet', remote('old/names', master), `${second}:refs/heads/side`);
    for (const name of refusedNames) {
      await writeRef(bare, `refs/heads/${name}`, second);
      await writeRef(bare, `refs/tags/${name}`, second);
    }
    for (const prefix of ['refs/heads/', 'refs/tags/']) {
      await writeRef(bare, Buffer.from([...Buffer.from(`${prefix}bad`), 0xff]), second);
      await writeRef(bare, `${prefix}${existing.at(-1)}`, second);
    }
  });

  const statusOf = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'Private-Token': master.token,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect({ path, text: response.status >= 500 ? text : '' }).toEqual({ path, text: '' });
    return response.status;
  };

  const reading = (name: string): string[] => {
    const ref = encodeURIComponent(name);
    const repository = `/api/v4${project}/repository`;
    return [
      `${repository}/branches/${ref}`,
      `${repository}/tags/${ref}`,
      `${repository}/commits?ref_name=${ref}`,
      `${repository}/commits/${ref}`,
      `${repository}/commits/${ref}/diff`,
      `${repository}/commits/${ref}/comments`,
      `${repository}/commits/${ref}/statuses`,
      `${repository}/commits/${first}/statuses?ref=${ref}`,
      `${repository}/tree?ref=${ref}`,
      `${repository}/blobs/${ref}?filepath=a.txt`,
      `${repository}/blobs/${ref}/raw?filepath=a.txt`,
      `${repository}/files/a.txt?ref=${ref}`,
      `${repository}/files/a.txt/raw?ref=${ref}`,
      `${repository}/archive?sha=${ref}`,
      `${repository}/compare?from=${ref}&to=master`,
      `${repository}/compare?from=master&to=${ref}`,
      `${repository}/contributors`,
      `/api/v4${project}/pipelines?ref=${ref}`,
      `/api/v4${project}/jobs/artifacts/${ref}/download?job=job`,
      `/api/v4${project}/jobs/artifacts/${ref}/raw/a.txt?job=job`,
      `/api/v4${project}/protected_branches/${ref}`,
      ...['tree', 'blob', 'raw', 'commits', 'commit', 'blame', 'compare', 'archive'].flatMap(
        (page) => [`/old/names/${page}/${name}`, `/old/names/${page}/${ref}/a.txt`],
      ),
    ];
  };

  test.each(labelled)('responds to every read of $label without 500', async ({ name }) => {
    const statuses = [];
    for (const path of reading(name)) statuses.push(await statusOf('GET', path));
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });

  test('lists branches and tags on every page', async () => {
    for (const path of ['branches', 'tags']) {
      const list = await as(master).get(`${project}/repository/${path}?per_page=100`);
      expect(list.status).toBe(200);
      expect((list.body as { name: string }[]).map(({ name }) => name)).toEqual(
        expect.arrayContaining(refusedNames),
      );
      expect(await statusOf('GET', `/old/names/${path}`)).toBeLessThan(500);
    }
    expect(await statusOf('GET', '/old/names')).toBe(200);
    expect(await statusOf('DELETE', `/api/v4${project}/repository/merged_branches`)).toBe(202);
  });

  test('HEAD means the default branch wherever a ref is expected', async () => {
    const client = as(developer);
    const repository = `${project}/repository`;
    expect((await client.get(`${repository}/commits?ref_name=HEAD`)).body).toMatchObject([
      { id: first },
    ]);
    expect((await client.get(`${repository}/commits/HEAD`)).body).toMatchObject({ id: first });
    const { body } = await client.get(`${repository}/files/a.txt?ref=HEAD`);
    expect(body).toMatchObject({ commit_id: first, content: btoa('first') });
    const raw = await fetch(`${url}/api/v4${repository}/files/a.txt/raw?ref=HEAD`);
    expect(await raw.text()).toBe('first');
    expect((await client.get(`${repository}/compare?from=HEAD&to=side`)).body).toMatchObject({
      commits: [{ id: second }],
    });
    const branch = { branch: 'of-head', ref: 'HEAD' };
    expect((await client.post(`${repository}/branches`, branch)).body).toMatchObject({
      commit: { id: first },
    });
    const pipeline = await as(master).post(`${project}/pipeline`, { ref: 'HEAD' });
    expect(pipeline).toMatchObject({ status: 201, body: { sha: first, ref: 'master' } });
  });

  test.each(labelled)('responds to every write of $label without 500', async ({ name }) => {
    const ref = encodeURIComponent(name);
    const repository = `/api/v4${project}/repository`;
    const change = { commit_message: 'x', content: 'x' };
    const action = { action: 'update', file_path: 'a.txt', content: 'x' };
    const requests: [string, string, object][] = [
      ['PUT', `${repository}/branches/${ref}/protect`, {}],
      ['PUT', `${repository}/branches/${ref}/unprotect`, {}],
      ['POST', `/api/v4${project}/protected_branches`, { name }],
      ['DELETE', `/api/v4${project}/protected_branches/${ref}`, {}],
      ['POST', `${repository}/branches`, { branch: 'from', ref: name }],
      ['DELETE', `${repository}/branches/from`, {}],
      ['POST', `${repository}/branches`, { branch: name, ref: 'master' }],
      ['POST', `${repository}/tags`, { tag_name: 'from', ref: name }],
      ['DELETE', `${repository}/tags/from`, {}],
      ['POST', `${repository}/tags`, { tag_name: name, ref: 'master' }],
      ['POST', `${repository}/tags/${ref}/release`, { description: 'x' }],
      ['PUT', `${repository}/tags/${ref}/release`, { description: 'y' }],
      ['POST', `${repository}/files/new.txt`, { ...change, branch: name }],
      ['PUT', `${repository}/files/a.txt`, { ...change, branch: name }],
      ['DELETE', `${repository}/files/a.txt`, { ...change, branch: name }],
      ['POST', `${repository}/commits`, { branch: name, commit_message: 'x', actions: [action] }],
      ['POST', `${repository}/commits/${ref}/cherry_pick`, { branch: 'side' }],
      ['POST', `${repository}/commits/${second}/cherry_pick`, { branch: name }],
      ['POST', `${repository}/commits/${ref}/comments`, { note: 'x' }],
      ['POST', `/api/v4${project}/statuses/${ref}`, { state: 'success' }],
      ['POST', `/api/v4${project}/statuses/${first}`, { state: 'success', ref: name }],
      ['POST', `/api/v4${project}/pipeline`, { ref: name }],
      [
        'POST',
        `/api/v4${project}/merge_requests`,
        { source_branch: name, target_branch: 'master', title: 'x' },
      ],
      [
        'POST',
        `/api/v4${project}/merge_requests`,
        { source_branch: 'side', target_branch: name, title: 'x' },
      ],
      ['PUT', `/api/v4${project}`, { default_branch: name }],
      ['DELETE', `${repository}/tags/${ref}`, {}],
      ['DELETE', `${repository}/branches/${ref}`, {}],
    ];
    for (const [method, path, body] of requests) await statusOf(method, path, body);
  });

  test('a push can also delete such names', async () => {
    await writeRef(bare, 'refs/heads/-y', second);
    await git(folder, 'push', remote('old/names', developer), ':refs/heads/-y');
    expect(await git(bare, 'for-each-ref', 'refs/heads/-y')).toBe('');
  });

  test('the default branch has not changed', async () => {
    expect(await git(bare, 'rev-parse', 'refs/heads/master')).toBe(first);
    expect(await git(bare, 'symbolic-ref', 'HEAD')).toBe('refs/heads/master');
  });

  test('a fork keeps such names, an import omits the misleading ones', async () => {
    for (const name of ['HEAD', '-x', 'refs/x', hex]) {
      await writeRef(bare, `refs/heads/${name}`, second);
    }
    const fork = await as(master).post(`${project}/fork`, { namespace: 'master' });
    expect(fork.status).toBe(201);
    const { id: forkId } = fork.body as { id: number };
    await expect
      .poll(async () => (await db.project.findUnique({ where: { id: forkId } }))?.importStatus)
      .toBe('finished');
    const commits = await as(master).get(`/projects/${forkId}/repository/commits?ref_name=HEAD`);
    expect(commits.body).toMatchObject([{ id: first }]);
    expect((await as(master).get(`/projects/${forkId}/repository/tree?ref=-x`)).status).toBe(200);

    const import_url = remote('old/names', master);
    const imported = await as(master).post('/projects', { path: 'imported', import_url });
    const { id: importedId } = imported.body as { id: number };
    await expect
      .poll(async () => (await db.project.findUnique({ where: { id: importedId } }))?.importStatus)
      .toBe('finished');
    const list = await as(master).get(`/projects/${importedId}/repository/branches`);
    const names = (list.body as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['master', 'side', hex]));
    expect(names.filter((name) => /^(?:HEAD$|-|refs\/)/.test(name))).toEqual([]);
  });
});
