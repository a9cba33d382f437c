import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tryGit } from '../../support/git.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, db, dataFolder, remote } = await world();
const ada = await seed.user('ada');

const project = async (path: string) => {
  const { id } = await seed.project(`ada/${path}`, {}, { visibility: 'public' });
  const sha = await seed.push(`ada/${path}`, { 'README.md': '# App\n' });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return { id, path, sha, folder: join(dataFolder, 'repositories', `${diskPath}.git`) };
};
const intact = await project('whole');
const missing = await project('missing');
const damaged = await project('damaged');

beforeAll(async () => {
  await rename(missing.folder, `${missing.folder}.away`);
  await rm(join(damaged.folder, 'objects'), { recursive: true });
  await writeFile(join(damaged.folder, 'objects'), 'no folder');
});
afterAll(() => rename(`${missing.folder}.away`, missing.folder));

const text = 'The repository is not available';
const countOf = async () => {
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  return Number(/^millrace_outages_total\{part="repository"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
};

describe.each([
  ['missing', missing],
  ['damaged', damaged],
])('a repository that is %s', (_how, { id, path, sha }) => {
  test.each([
    `/projects/${id}/repository/commits/${sha}`,
    `/projects/${id}/repository/tree`,
    `/projects/${id}/repository/branches`,
    `/projects/${id}/repository/files/README.md?ref=master`,
  ])('responds to %s with 503, and counts it', async (address) => {
    const before = await countOf();
    const response = await as(ada).fetch(address);
    expect({
      status: response.status,
      wait: response.headers.get('Retry-After'),
      body: await response.json(),
    }).toEqual({ status: 503, wait: '60', body: { message: `503 ${text}` } });
    expect(await countOf()).toBe(before + 1);
  });

  test('responds to a page request with 503', async () => {
    const response = await fetch(`${url}/ada/${path}/tree/master`, {
      headers: { Accept: 'text/html' },
    });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain(text);
  });

  test.each(['git-upload-pack', 'git-receive-pack'])(
    'responds to %s of git with 503',
    async (service) => {
      const credentials = Buffer.from(`ada:${ada.token}`).toString('base64');
      const response = await fetch(`${url}/ada/${path}.git/info/refs?service=${service}`, {
        headers: { Authorization: `Basic ${credentials}` },
      });
      expect({ status: response.status, body: await response.text() }).toEqual({
        status: 503,
        body: `${text}. Try again in 60 seconds.\n`,
      });
    },
  );

  test('rejects a write with 503', async () => {
    const branch = { branch: 'new', ref: sha };
    const { status } = await as(ada).post(`/projects/${id}/repository/branches`, branch);
    expect(status).toBe(503);
  });
});

const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
const zero = '0'.repeat(40);
const missingId = '1'.repeat(40);

/** Sends the request of a fetch or push. */
const send = async (
  path: string,
  service: 'git-upload-pack' | 'git-receive-pack',
  body: string,
  version = 2,
) => {
  const response = await fetch(`${url}/ada/${path}.git/${service}`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`ada:${ada.token}`).toString('base64')}`,
      'Content-Type': `application/x-${service}-request`,
      'Git-Protocol': `version=${version}`,
    },
    body,
  });
  await response.text();
  return { status: response.status, wait: response.headers.get('Retry-After') };
};

describe('a request that git cannot read', () => {
  test.each([
    ['no packet', 'hello world'],
    ['a wrong length', 'zzzz'],
    ['an unknown command', `${packet('command=nonsense')}00010000`],
    ['two commands', `${packet('command=fetch')}${packet('command=ls-refs')}00010000`],
    ['another format', `${packet('command=fetch')}${packet('object-format=sha256')}00010000`],
    ['an unknown argument', `${packet('command=fetch')}0001${packet('hello')}0000`],
    ['a filter that does not exist', `${packet('command=fetch')}0001${packet('filter no')}0000`],
  ])('is the error of a client that fetches: %s', async (_name, body) => {
    expect(await send(intact.path, 'git-upload-pack', body)).toEqual({ status: 400, wait: null });
  });

  test.each([
    ['nothing', ''],
    ['a malformed want', `${packet('want xyz\n')}0000`],
    ['a malformed depth', `${packet(`want ${intact.sha}\n`)}${packet('deepen x\n')}0000`],
    ['an unknown branch', `${packet(`want ${intact.sha}\n`)}${packet('deepen-not none\n')}0000`],
  ])('is the error of an old client that fetches: %s', async (_name, body) => {
    expect(await send(intact.path, 'git-upload-pack', body, 0)).toEqual({
      status: 400,
      wait: null,
    });
  });

  test.each([
    ['no packet', 'hello world'],
    ['a malformed command', `${packet('hello')}0000`],
    ['another format', `${packet(`${zero} ${missingId} refs/heads/a\0 object-format=sha256`)}0000`],
    ['a half certificate', `${packet('push-cert\0 report-status')}${packet('hello\n')}0000`],
  ])('is the error of a client that pushes: %s', async (_name, body) => {
    expect(await send(intact.path, 'git-receive-pack', body)).toEqual({ status: 400, wait: null });
  });
});

describe.each([
  ['config', '[core\n', ['fetch', 'old fetch', 'push']],
  ['packed-refs', 'nonsense\n', ['old fetch']],
  ['shallow', 'nonsense\n', ['fetch', 'old fetch']],
])('a repository whose file %s is damaged', (file, text, needing) => {
  test('is an outage for the requests that need it', async () => {
    const { path, sha, folder } = await project(`broken-${file}`);
    await writeFile(join(folder, file), text);
    const want = packet(`want ${sha}`);
    const fetches = `${packet('command=fetch')}0001${want}${packet('done')}0000`;
    const old = `${packet(`want ${sha}\n`)}0000${packet('done\n')}`;
    const push = `${packet(`${sha} ${zero} refs/heads/master\0 report-status`)}0000`;
    const responses = {
      fetch: await send(path, 'git-upload-pack', fetches),
      'old fetch': await send(path, 'git-upload-pack', old, 0),
      push: await send(path, 'git-receive-pack', push),
    };
    const outage = { status: 503, wait: '60' };
    expect(responses).toMatchObject(Object.fromEntries(needing.map((name) => [name, outage])));
  });
});

test('other projects are not affected', async () => {
  expect((await as(ada).get(`/projects/${intact.id}/repository/tree`)).status).toBe(200);
  expect(await tryGit(dataFolder, 'ls-remote', remote('ada/whole', ada))).toMatchObject({
    code: 0,
  });
});
