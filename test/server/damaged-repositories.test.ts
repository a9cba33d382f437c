import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tryGit } from '../support/git.ts';
import { world } from '../support/world.ts';

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

test('other projects are not affected', async () => {
  expect((await as(ada).get(`/projects/${intact.id}/repository/tree`)).status).toBe(200);
  expect(await tryGit(dataFolder, 'ls-remote', remote('ada/whole', ada))).toMatchObject({
    code: 0,
  });
});
