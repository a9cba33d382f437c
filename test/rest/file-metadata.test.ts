import { createHash } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');
const { id: app } = await seed.project('ada/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
await seed.push('ada/closed', { 'secret.txt': 'secret' });

const strange = 'groß\n"1".txt';
const large = Buffer.alloc(64 * 2 ** 20 + 1);
const folder = await workTree({ 'lib/run.sh': '#!/bin/sh\n', [strange]: 'one\n' });
const first = await git(folder, 'rev-parse', 'HEAD');
await chmod(join(folder, 'lib/run.sh'), 0o755);
const second = await commit(folder, {}, 'Make it executable');
await writeFile(join(folder, 'large.bin'), large);
const tip = await commit(folder, {}, 'Add a large file');
await git(folder, 'push', '--quiet', remote('ada/app', root), 'master');
afterAll(() => rm(folder, { recursive: true }));

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const pathOf = (project: number, file: string, end = '') =>
  `/projects/${project}/repository/files/${encodeURIComponent(file)}${end}`;

async function head(user: TestUser | null, path: string) {
  const response = await as(user).fetch(path, { method: 'HEAD' });
  return { status: response.status, headers: response.headers };
}

/** The headers of the file alone, as UTF-8. */
const described = (headers: Headers) =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => name.startsWith('x-gitlab-'))
      .map(([name, value]) => [name, Buffer.from(value, 'latin1').toString()]),
  );

test.each(['', '/raw', '/blame'])('HEAD of a file%s shows its metadata in headers', async (end) => {
  const { status, headers } = await head(null, `${pathOf(app, 'lib/run.sh', end)}?ref=master`);
  expect(status).toBe(200);
  expect(described(headers)).toEqual({
    'x-gitlab-blob-id': await git(folder, 'rev-parse', 'master:lib/run.sh'),
    'x-gitlab-commit-id': tip,
    'x-gitlab-content-sha256': sha256('#!/bin/sh\n'),
    'x-gitlab-encoding': 'base64',
    'x-gitlab-execute-filemode': 'true',
    'x-gitlab-file-name': 'run.sh',
    'x-gitlab-file-path': 'lib/run.sh',
    'x-gitlab-last-commit-id': second,
    'x-gitlab-ref': 'master',
    'x-gitlab-size': '10',
  });
});

test('a name that headers cannot contain is encoded', async () => {
  const { headers } = await head(null, `${pathOf(app, strange)}?ref=${first}`);
  expect(described(headers)).toMatchObject({
    'x-gitlab-commit-id': first,
    'x-gitlab-content-sha256': sha256('one\n'),
    'x-gitlab-execute-filemode': 'false',
    'x-gitlab-file-name': 'groß%0A"1".txt',
    'x-gitlab-file-path': 'groß%0A"1".txt',
    'x-gitlab-ref': first,
  });
});

test('HEAD of the content tells its type and length, as GET does', async () => {
  const path = `${pathOf(app, 'lib/run.sh', '/raw')}?ref=master`;
  const { headers } = await head(null, path);
  const shown = await as(null).fetch(path);
  for (const name of ['Content-Type', 'Content-Length', 'Content-Disposition']) {
    expect(headers.get(name)).toBe(shown.headers.get(name));
  }
  expect(headers.get('Content-Length')).toBe('10');
});

test.each(['', '/raw'])('a file above 64 MiB%s has no hash', async (end) => {
  const { status, headers } = await head(null, `${pathOf(app, 'large.bin', end)}?ref=master`);
  expect(status).toBe(200);
  expect(headers.get('X-Gitlab-Size')).toBe(String(large.length));
  expect(headers.has('X-Gitlab-Content-Sha256')).toBe(false);
});

test.each(['', '/raw', '/blame'])('HEAD of a file%s has the permissions of GET', async (end) => {
  const secret = pathOf(closed, 'secret.txt', end);
  for (const [user, status] of [
    [null, 404],
    [eve, 404],
    [carl, 403],
    [bob, 200],
    [ada, 200],
  ] as const) {
    const response = await head(user, `${secret}?ref=master`);
    expect(response.status).toBe(status);
    expect(response.headers.has('X-Gitlab-Blob-Id')).toBe(status === 200);
  }
  expect((await head(ada, secret)).status).toBe(400);
  expect((await head(ada, `${secret}?ref=nothing`)).status).toBe(404);
  expect((await head(ada, `${pathOf(closed, 'nothing', end)}?ref=master`)).status).toBe(404);
});
