import { describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { git } from '../support/git.ts';
import { pushing, pushProtocols } from '../support/pushing.ts';
import { world } from '../support/world.ts';

const sshPort = await freePort();
const here = await world({ variables: { MILLRACE_SSH_PORT: String(sshPort) } });
const { as, seed, root, url, remote } = here;
const [ada, bob] = await Promise.all(['ada', 'bob'].map((name) => seed.user(name)));
if (!ada || !bob) throw new Error('no users');
await seed.group('acme');
const app = await seed.project('acme/app', { developer: [ada, bob] });
const { folder, commitTo, push } = await pushing(here, sshPort);
const path = 'acme/app';
await push({ user: root, path, branches: ['master'] });

const create = (branch: string, query = branch) => [
  `To create a merge request for ${branch}, visit:`,
  `  ${url}/acme/app/merge_requests/new?merge_request%5Bsource_branch%5D=${query}`,
];

const open = async (branch: string, project = app.id, target = app.id) => {
  const { status, body } = await as(ada).post(`/projects/${project}/merge_requests`, {
    source_branch: branch,
    target_branch: 'master',
    target_project_id: target,
    title: branch,
  });
  expect(status).toBe(201);
  return body as { iid: number };
};

describe.each(pushProtocols)('a push over %s shows', (protocol) => {
  const pushed = (...branches: readonly string[]) => push({ user: ada, path, branches, protocol });

  test('where to create the merge request of a branch, then the open one', async () => {
    const branch = `search-${protocol}`;
    await commitTo(branch);
    const first = await pushed(branch);
    expect(first.code).toBe(0);
    expect(first.lines).toEqual(['', ...create(branch), '']);
    const { iid } = await open(branch);
    await commitTo(branch);
    expect((await pushed(branch)).lines).toEqual([
      '',
      `View merge request for ${branch}:`,
      `  ${url}/acme/app/merge_requests/${iid}`,
      '',
    ]);
  });

  test('addresses that need no quotes, for each branch', async () => {
    const names = [`é&b=#1-${protocol}`, `plain-${protocol}`];
    for (const name of names) await commitTo(name);
    const { code, lines } = await pushed(...names);
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('  '))).toEqual([
      create('', `%C3%A9%26b%3D%231-${protocol}`)[1],
      create('', `plain-${protocol}`)[1],
    ]);
  });

  test('nothing for a tag, a deleted branch and a push that changes nothing', async () => {
    const name = `gone-${protocol}`;
    await commitTo(name);
    await pushed(name);
    await git(folder, 'tag', `v-${protocol}`, name);
    for (const refs of [[`v-${protocol}`], [name], [`:${name}`]]) {
      const { code, lines } = await pushed(...refs);
      expect([code, lines]).toEqual([0, []]);
    }
  });

  test('at most ten branches', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `many-${protocol}-${index}`);
    for (const name of names) await git(folder, 'branch', name, 'master');
    expect((await pushed(...names)).lines.filter((line) => line.startsWith('  '))).toHaveLength(10);
  });
});

test('a push shows nothing for the default branch, also the first one', async () => {
  await seed.project('acme/empty');
  await commitTo('master', 'More');
  for (const place of ['acme/empty', path]) {
    const { code, lines } = await push({ user: root, path: place, branches: ['master'] });
    expect([code, lines]).toEqual([0, []]);
  }
});

test('a push shows nothing if the project has no merge requests', async () => {
  const closed = await seed.project('acme/closed', { developer: ada });
  await push({ user: root, path: 'acme/closed', branches: ['master'] });
  await as(root).put(`/projects/${closed.id}`, { merge_requests_enabled: false });
  await commitTo('closed');
  const branches = ['closed'];
  expect((await push({ user: ada, path: 'acme/closed', branches })).lines).toEqual([]);
});

test('a push to a fork shows its merge request only to users who may see it', async () => {
  const fork = (await as(ada).post(`/projects/${app.id}/fork`)).body as { id: number };
  await expect
    .poll(async () => (await as(ada).get(`/projects/${fork.id}`)).body)
    .toMatchObject({ import_status: 'finished' });
  const carl = await seed.user('carl');
  await as(ada).post(`/projects/${fork.id}/members`, { user_id: carl.id, access_level: 30 });
  await commitTo('forked');
  const branches = ['forked'];
  await push({ user: ada, path: 'ada/app', branches });
  const { iid } = await open('forked', fork.id);
  const linesFor = async (user: typeof ada) => {
    await commitTo('forked');
    const { code, lines } = await push({ user, path: 'ada/app', branches });
    expect(code).toBe(0);
    return lines.join('\n');
  };
  expect(await linesFor(ada)).toContain(`  ${url}/acme/app/merge_requests/${iid}`);
  const hidden = await linesFor(carl);
  expect(hidden).toContain('To create a merge request for forked');
  expect(hidden).not.toContain('acme/app');
});

test('controls of terminals in the name of a branch are not printed', async () => {
  const name = 'a\u202eb';
  await commitTo(name);
  const { code, lines } = await push({ user: ada, path, branches: [name] });
  expect([code, lines[1]]).toEqual([0, 'To create a merge request for a b, visit:']);
});

describe('a client without a side band', () => {
  test('gets the report alone', async () => {
    await commitTo('plain');
    const sha = await git(folder, 'rev-parse', 'master');
    await push({ user: ada, path, branches: ['plain'] });
    const none = '0'.repeat(40);
    const command = `${none} ${sha} refs/heads/bare\0report-status`;
    const line = (command.length + 4).toString(16).padStart(4, '0') + command;
    const address = new URL(`${remote(path, ada)}/git-receive-pack`);
    const { username, password } = address;
    Object.assign(address, { username: '', password: '' });
    // the objects are there: an empty pack
    const header = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-1', header));
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'Content-Type': 'application/x-git-receive-pack-request',
      },
      body: Buffer.concat([Buffer.from(`${line}0000`), header, hash]),
    });
    expect(await response.text()).toBe('000eunpack ok\n0017ok refs/heads/bare\n0000');
  });
});
