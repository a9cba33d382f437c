import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { startAnother } from '../support/server-here.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, url, db, databaseUrl, dataFolder } = await world();
const ada = await seed.user('ada');
const { body } = await as(ada).post('/projects', { path: 'app', visibility: 'public' });
const { id } = body as { id: number };
const folder = await workTree({ 'notes.txt': 'first line\n' });
afterAll(() => rm(folder, { recursive: true }));

const address = '/ada/app/blob/master/notes.txt';
const push = () => git(folder, 'push', '--quiet', '--force', remote('ada/app', root), 'master');
const visit = async (service = url, path = address) => {
  const response = await fetch(`${service}${path}`, { redirect: 'manual' });
  return { status: response.status, text: await response.text() };
};
const shown = async (service = url) => /(\w{3,}) line/.exec((await visit(service)).text)?.[1];

await push();

/** Moves the branch on the disk, which the service does not notice. */
const moveUnnoticed = async (to: string) => {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const bare = join(dataFolder, 'repositories', `${diskPath}.git`);
  await git(bare, 'update-ref', 'refs/heads/master', to);
};

test('anonymous users get the same page again until the data of the service changes', async () => {
  const before = await git(folder, 'rev-parse', 'HEAD');
  await commit(folder, { 'notes.txt': 'second line\n' }, 'Change');
  await push();
  const after = await git(folder, 'rev-parse', 'HEAD');
  // a job of the service may end in between, which is a change
  await expect
    .poll(async () => {
      await moveUnnoticed(after);
      await as(ada).put(`/projects/${id}`, { description: crypto.randomUUID() });
      await expect.poll(() => shown()).toBe('second');
      await moveUnnoticed(before);
      return shown();
    })
    .toBe('second');
  await as(ada).put(`/projects/${id}`, { description: 'changed' });
  expect(await shown()).toBe('first');
  await moveUnnoticed(after);
});

test('a push shows at once', async () => {
  for (const word of ['third', 'fourth', 'fifth']) {
    await commit(folder, { 'notes.txt': `${word} line\n` }, 'Change');
    await push();
    expect(await shown()).toBe(word);
  }
});

test('a file that was changed over REST shows at once', async () => {
  const file = `/projects/${id}/repository/files/notes.txt`;
  for (const word of ['sixth', 'seventh']) {
    const change = { branch: 'master', content: `${word} line\n`, commit_message: 'Change' };
    expect((await as(ada).put(file, change)).status).toBe(200);
    expect(await shown()).toBe(word);
  }
});

test('while a push is under way, each visit reads the repository', async () => {
  const master = await git(folder, 'rev-parse', 'master');
  const current = await git(folder, 'ls-remote', remote('ada/app', root), 'master');
  const entry = await db.push.create({
    data: {
      projectId: id,
      userId: ada.id,
      changes: [{ ref: 'refs/heads/other', before: '0'.repeat(40), after: master }],
    },
  });
  expect(await shown()).toBe('seventh');
  await moveUnnoticed(master);
  expect(await shown()).toBe('fifth');
  await moveUnnoticed(current.split('\t')[0] ?? '');
  expect(await shown()).toBe('seventh');
  await db.push.delete({ where: { id: entry.id } });
});

test('a change over another process of the service shows at once', async () => {
  const other = await startAnother({ MILLRACE_DATA: dataFolder, DATABASE_URL: databaseUrl });
  try {
    expect([await shown(), await shown(other.url)]).toEqual(['seventh', 'seventh']);
    await commit(folder, { 'notes.txt': 'eighth line\n' }, 'Change');
    await push();
    expect([await shown(other.url), await shown()]).toEqual(['eighth', 'eighth']);
  } finally {
    await other.stop();
  }
});

test('each address has a page of its own, and each signed-in user, too', async () => {
  const visitor = visitorAt(url);
  await visitor.signIn(ada);
  const seen = await visitor.get(address);
  expect(seen.text).toContain('authenticity_token');
  const anonymous = await visit();
  expect(anonymous.text).not.toContain('authenticity_token');
  expect(anonymous.text).toContain('/users/sign_in');
  const plain = await visit(url, '/ada/app/tree/master?other=1');
  expect(plain.text).toContain('notes.txt');
  expect((await visitor.get(address)).text).toContain('authenticity_token');
});

test('a page without a form sets no cookie', async () => {
  for (const path of ['/', '/explore', '/ada/app', '/ada/app/commits/master', address]) {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status, response.headers.get('Set-Cookie')]).toEqual([path, 200, null]);
  }
});

test('two visits have different nonces', async () => {
  const nonces = [await visit(), await visit()].map(
    ({ text }) => /nonce="([^"]+)"/.exec(text)?.[1],
  );
  expect(new Set(nonces).size).toBe(2);
  expect(nonces).not.toContain(undefined);
});

test('a renamed project redirects at once, and a private one is not there', async () => {
  expect((await visit()).status).toBe(200);
  await as(ada).put(`/projects/${id}`, { path: 'renamed' });
  expect((await visit()).status).toBe(302);
  const renamed = () => visit(url, address.replace('app', 'renamed'));
  expect((await renamed()).status).toBe(200);
  await as(ada).put(`/projects/${id}`, { visibility: 'private' });
  expect((await renamed()).status).toBe(404);
  await as(ada).put(`/projects/${id}`, { visibility: 'public' });
  expect((await renamed()).status).toBe(200);
  await as(ada).delete(`/projects/${id}`);
  expect((await renamed()).status).toBe(404);
});
