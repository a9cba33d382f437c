import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formOf } from '../../support/form.ts';
import { git } from '../../support/git.ts';
import { jobFilesOf } from '../../support/job-files.ts';
import { lfsClient, randomContent } from '../../support/lfs.ts';
import { world } from '../../support/world.ts';

/*
 * Files that the system does not read or write, here because a link leads to itself or to memory that cannot be
 * read, are an outage of what needs them: neither missing nor a defect of the service.
 */

const { as, seed, root, url, db, dataFolder, storedKeys } = await world({ isOneProcess: true });
const { id } = await seed.project('root/app', {}, { visibility: 'public' });
await seed.push('root/app', { 'a.txt': 'one\n', '.gitlab-ci.yml': 'a: { script: b }\n' });
const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
const bare = join(dataFolder, 'repositories', `${diskPath}.git`);
const wiki = join(dataFolder, 'repositories', `${diskPath}.wiki.git`);
const project = `/api/v4/projects/${id}`;

const uploadFile = async () => {
  const body = formOf({ file: { name: 'a.txt', content: 'text' } });
  return as(root).fetch(`/projects/${id}/uploads`, { method: 'POST', body });
};
const upload = (await (await uploadFile()).json()) as { readonly url: string };
const [uploadKey = ''] = await storedKeys(`uploads/projects/${id}/`);
await as(root).post(`/projects/${id}/wikis`, { title: 'home', content: 'text' });
await as(root).post(`/projects/${id}/pipeline`, { ref: 'master' });
const job = await db.job.findFirstOrThrow({ where: { projectId: id } });
await db.job.update({ where: { id: job.id }, data: { status: 'success' } });
const jobFiles = jobFilesOf({ db, dataFolder });
await jobFiles.trace(job, 'trace\n');
await jobFiles.artifacts(job, { 'a.txt': 'text' });
const [traceKey = ''] = await storedKeys(`traces/${id}/`);
const [artifactsKey = ''] = await storedKeys(`artifacts/${id}/`);
const lfs = lfsClient(url);
const content = randomContent(1_000);
const { href, header } = await lfs.actionOf(root, 'root/app', 'upload', content);
await fetch(href, { method: 'PUT', body: content.bytes, headers: { ...header } });
const [lfsKey = ''] = await storedKeys('lfs/');
const download = await lfs.actionOf(root, 'root/app', 'download', content);

const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(path.startsWith('/') ? `${url}${path}` : path, {
    headers: { 'Private-Token': root.token, ...headers },
  });
  await response.arrayBuffer();
  return { status: response.status, wait: response.headers.get('Retry-After') };
};

/** Replaces a file or folder by a link while `work` runs. */
async function whileLinked(path: string, target: string, work: () => Promise<void>) {
  await mkdir(join(dataFolder, 'away'), { recursive: true });
  const away = join(dataFolder, 'away', crypto.randomUUID());
  await rename(path, away);
  await symlink(target, path);
  try {
    await work();
  } finally {
    await rm(path);
    await rename(away, path);
  }
}

const outage = { status: 503, wait: '60' };

describe.each([
  ['an upload', join(dataFolder, uploadKey), () => get(`/root/app${upload.url}`)],
  ['a trace', join(dataFolder, traceKey), () => get(`${project}/jobs/${job.id}/trace`)],
  ['artifacts', join(dataFolder, artifactsKey), () => get(`${project}/jobs/${job.id}/artifacts`)],
  [
    'a file of artifacts',
    join(dataFolder, artifactsKey),
    () => get(`${project}/jobs/${job.id}/artifacts/a.txt`),
  ],
  ['an LFS object', join(dataFolder, lfsKey), () => get(download.href, { ...download.header })],
  ['a wiki', join(wiki, 'HEAD'), () => get(`${project}/wikis`)],
  ['the default branch', join(bare, 'HEAD'), () => get(`${project}/repository/commits/HEAD`)],
  [
    'the references',
    join(bare, 'HEAD'),
    () => get('/root/app.git/info/refs?service=git-upload-pack', { 'Git-Protocol': 'version=2' }),
  ],
])('%s', (_name, path, read) => {
  test('that cannot be opened is an outage', async () => {
    await whileLinked(path, path, async () => expect(await read()).toEqual(outage));
    expect((await read()).status).toBe(200);
  });
});

test('a wiki that cannot be read gets no second repository', async () => {
  await whileLinked(join(wiki, 'HEAD'), join(wiki, 'HEAD'), async () => {
    const page = { title: 'second', content: 'text' };
    expect((await as(root).post(`/projects/${id}/wikis`, page)).status).toBe(503);
  });
  expect(await git(wiki, 'rev-list', '--count', 'master')).toBe('1');
});

test('a disk that reports errors is an outage', async () => {
  // reading its first bytes fails as a damaged disk does
  await whileLinked(join(bare, 'HEAD'), '/proc/self/mem', async () => {
    const protocol = { 'Git-Protocol': 'version=2' };
    expect(await get('/root/app.git/info/refs?service=git-upload-pack', protocol)).toEqual(outage);
    expect(await get(`${project}/repository/commits/HEAD`)).toEqual(outage);
  });
});

test('a folder that takes no files is an outage of uploads', async () => {
  const incoming = join(dataFolder, 'uploads', 'tmp');
  expect(await readdir(join(dataFolder, 'uploads'))).toContain('tmp');
  await whileLinked(incoming, incoming, async () => {
    const response = await uploadFile();
    expect({ status: response.status, wait: response.headers.get('Retry-After') }).toEqual(outage);
  });
  expect((await uploadFile()).status).toBe(201);
});

test('failures of files are counted', async () => {
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  const [, count] = /^millrace_outages_total\{part="storage"\} (\d+)$/m.exec(metrics) ?? [];
  expect(Number(count)).toBeGreaterThan(5);
});
