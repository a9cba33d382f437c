import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import {
  copyFile,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect } from '../../../prisma/client.ts';
import { clientOf } from '../../support/client.ts';
import { commandsOf } from '../../support/commands.ts';
import { cloneDatabase } from '../../support/database.ts';
import { commit, git, workTree } from '../../support/git.ts';
import { jobFilesOf } from '../../support/job-files.ts';
import { lfsClient, randomContent } from '../../support/lfs.ts';
import { startAnother } from '../../support/server-here.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, remote, url, db, databaseUrl, dataFolder } = await world();
const service = { DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder };
const { run, json } = commandsOf(service);
const folder = await mkdtemp(join(tmpdir(), 'millrace-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Backup {
  readonly file: string;
  readonly id: string;
  readonly size: number;
}

const create = async (...options: readonly string[]) =>
  (await json(['backup', 'create', '--to', folder, ...options])) as Backup;

/** An empty place for a restore, and the commands that use it. */
async function emptyPlace() {
  const database = await cloneDatabase(databaseUrl, 'template0');
  const data = join(folder, crypto.randomUUID());
  const variables = { DATABASE_URL: database.url, MILLRACE_DATA: data };
  afterAll(() => database.drop());
  return { data, variables, ...commandsOf(variables) };
}

/** What `tar` lists, which reads the archive without us. */
const entryNames = async (file: string) =>
  (await promisify(execFile)('tar', ['--list', '--file', file])).stdout.trim().split('\n');

type Place = Awaited<ReturnType<typeof emptyPlace>>;

/** Runs `work` with a server on a restored service. */
async function served<Result>(
  { variables }: Place,
  work: (client: ReturnType<typeof clientOf>, address: string) => Promise<Result>,
): Promise<Result> {
  const server = await startAnother(variables);
  try {
    return await work(clientOf(server.url, root.token), server.url);
  } finally {
    await server.stop();
  }
}

const { id } = await seed.project('root/app', {});
const { id: otherId } = await seed.project('root/other', {});
const { id: testedId } = await seed.project('root/tested', {});
await seed.push('root/tested', { '.gitlab-ci.yml': 'unit: { script: test }' });
let jobPath: string;
let artifacts: Buffer;

beforeAll(async () => {
  const job = await vi.waitFor(() => db.job.findFirstOrThrow());
  jobPath = `/projects/${testedId}/jobs/${job.id}`;
  const files = jobFilesOf({ db, dataFolder });
  await files.trace(job, 'a line\n');
  artifacts = await files.artifacts(job, { 'a.txt': 'a' });
});

/** Writes issues and pushes commits one after the other, until it is stopped. */
function load() {
  const issues: string[] = [];
  const commits: string[] = [];
  let isStopped = false;
  const writeIssues = async () => {
    for (let number = 1; !isStopped; number += 1) {
      const title = `issue ${number}`;
      const { status } = await as(root).post(`/projects/${id}/issues`, { title });
      if (status === 201) issues.push(title);
    }
  };
  const pushCommits = async () => {
    const clone = await workTree({ 'a.txt': 'a' });
    for (let number = 1; !isStopped; number += 1) {
      const sha = await commit(clone, { 'a.txt': `a ${number}` }, `change ${number}`);
      await git(clone, 'push', '--quiet', remote('root/other', root), 'HEAD:refs/heads/load');
      commits.push(sha);
    }
    await rm(clone, { recursive: true });
  };
  const writing = Promise.all([writeIssues(), pushCommits()]);
  return {
    acknowledged: () => ({ issues: [...issues], commits: [...commits] }),
    stop: async () => {
      isStopped = true;
      await writing;
    },
  };
}

describe('a backup under load', () => {
  test('has every write that was acknowledged before it, and doctor finds nothing', async () => {
    const form = new FormData();
    form.set('file', new File(['a picture'], 'picture.png'));
    const uploaded = await as(root).fetch(`/projects/${id}/uploads`, {
      method: 'POST',
      body: form,
    });
    const { url: upload } = (await uploaded.json()) as { readonly url: string };
    await as(root).post(`/projects/${id}/wikis`, { title: 'home', content: 'welcome' });
    const model = randomContent(1_000);
    expect(await lfsClient(url).upload(root, 'root/app', model)).toBe(200);

    const running = load();
    await expect.poll(() => running.acknowledged().commits.length).toBeGreaterThan(3);
    const { issues, commits } = running.acknowledged();
    const { file } = await create('--with-secrets');
    await running.stop();

    const place = await emptyPlace();
    const { code, stdout, stderr } = await place.run(['backup', 'restore', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').filter((line) => line !== '' && !line.startsWith('ok'))).toEqual([]);
    await served(place, async (client, address) => {
      const restored = connect(place.variables.DATABASE_URL, { poolSize: 1 });
      const rows = await restored.issueText.findMany({ select: { title: true } });
      await restored.$disconnect();
      expect(rows.map(({ title }) => title)).toEqual(expect.arrayContaining(issues));
      const clone = join(place.data, 'clone');
      const remoteUrl = new URL(remote('root/other', root));
      remoteUrl.port = new URL(address).port;
      await git(place.data, 'clone', '--quiet', '--branch', 'load', remoteUrl.href, clone);
      const log = await git(clone, 'log', '--format=%H');
      for (const sha of commits) expect(log).toContain(sha);
      expect((await client.get(`/projects/${id}/wikis/home`)).body).toMatchObject({
        content: 'welcome',
      });
      const picture = await fetch(`${address}/root/app${upload}`, {
        headers: { 'Private-Token': root.token },
      });
      expect(await picture.text()).toBe('a picture');
      expect((await client.get(`${jobPath}/trace`)).body).toBe('a line\n');
      const sent = await client.fetch(`${jobPath}/artifacts`);
      expect(Buffer.from(await sent.arrayBuffer())).toEqual(artifacts);
      expect(await lfsClient(address).download(root, 'root/app', model)).toEqual(model.bytes);
      expect((await client.get(`/projects/${id}?statistics=true`)).body).toMatchObject({
        statistics: { lfs_objects_size: model.size },
      });
      // ids continue after those of the backup
      const next = await client.post(`/projects/${id}/issues`, { title: 'next' });
      expect(next.status).toBe(201);
      await git(clone, 'push', '--quiet', 'origin', 'HEAD:refs/heads/after');
    });
  });

  test('leaves out projects that users delete meanwhile', async () => {
    const { id: doomed } = await seed.project('root/doomed', {});
    // more than an output that no program reads can hold, and nothing that compresses
    const noise = Array.from({ length: 40 }, () => crypto.getRandomValues(new Uint8Array(48_000)));
    for (const [number, bytes] of noise.entries()) {
      const description = Buffer.from(bytes).toString('base64');
      await as(root).post(`/projects/${otherId}/issues`, { title: `noise ${number}`, description });
    }
    const program = fileURLToPath(new URL('../../../server/millrace.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      [program, 'backup', 'create', '--to', '-', '--with-secrets'],
      {
        env: { PATH: process.env.PATH ?? '', ...service },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    // the snapshot has been taken
    await once(child.stdout, 'readable');
    await as(root).delete(`/projects/${doomed}`);
    await expect.poll(() => db.project.count({ where: { id: doomed } })).toBe(0);
    const file = join(folder, 'streamed.tar');
    const ended = once(child, 'close');
    await pipeline(child.stdout, createWriteStream(file));
    expect(await ended).toEqual([0, null]);

    const place = await emptyPlace();
    expect((await place.run(['backup', 'restore', file])).code).toBe(0);
    await served(place, async (client) => {
      expect((await client.get(`/projects/${doomed}`)).status).toBe(404);
      expect((await client.get(`/projects/${otherId}`)).status).toBe(200);
    });
  });
});

describe('a backup', () => {
  test('since another one has only what changed, and needs the other', async () => {
    await seed.project('root/growing', {});
    const first = await create();
    const sha = await seed.push('root/growing', { 'new.txt': 'new' });
    const second = await create('--since', first.file);
    const third = await create('--since', second.file);
    const { stdout } = await run(['backup', 'verify', third.file]);
    expect(stdout).toContain([third, second, first].map(({ file }) => basename(file)).join(', '));

    const contents = async (file: string) =>
      (await entryNames(file)).filter((name) => /^(repositories|uploads)/.test(name));
    expect(await contents(second.file)).toEqual([expect.stringMatching(/\.bundle$/)]);
    expect(await contents(third.file)).toEqual([]);

    const place = await emptyPlace();
    const key = join(dataFolder, 'secret.key');
    const options = ['--secret-key', key];
    expect((await place.run(['backup', 'restore', third.file, ...options])).code).toBe(0);
    const shown = (await place.json(['project', 'show', 'root/growing'])) as {
      readonly folder: string;
    };
    expect((await git(shown.folder, 'rev-parse', 'master')).trim()).toBe(sha);

    const copy = join(await mkdtemp(join(folder, 'alone-')), basename(second.file));
    await copyFile(second.file, copy);
    const { code, stderr } = await run(['backup', 'verify', copy]);
    expect([code, stderr]).toEqual([
      1,
      `The backup needs ${basename(first.file)}: put it into the same folder.\n`,
    ]);
  });

  test('without secrets warns, and its restore needs the key', async () => {
    const created = await run(['backup', 'create', '--to', folder, '--json']);
    expect(created.stderr).toContain('secret.key is not part of this backup');
    const { file } = JSON.parse(created.stdout) as Backup;
    const locked = await emptyPlace();
    const { code, stdout } = await locked.run(['backup', 'restore', file]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^error +secrets: .*secret\.key is missing/m),
    ]);
  });

  test('without artifacts restores jobs that have none', async () => {
    const partial = await emptyPlace();
    const { file: small } = await create('--with-secrets', '--skip', 'artifacts,traces');
    expect((await partial.run(['backup', 'restore', small])).code).toBe(0);
    await served(partial, async (client) => {
      expect((await client.get(jobPath)).body).not.toHaveProperty('artifacts_file.filename');
      expect((await client.get(`${jobPath}/artifacts`)).status).toBe(404);
    });
    expect((await run(['backup', 'create', '--skip', 'database'])).code).toBe(2);
  });

  test('reports a damaged repository, and has the rest', async () => {
    const { id: damaged } = await seed.project('root/damaged', {});
    const shown = (await json(['project', 'show', 'root/damaged'])) as { readonly folder: string };
    await rm(shown.folder, { recursive: true });
    const { code, stderr } = await run(['backup', 'create', '--to', folder, '--with-secrets']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /but for these repositories:\nrepositories\/default\/.*: the repository is missing\n$/,
      ),
    ]);
    await as(root).delete(`/projects/${damaged}`);
    await expect.poll(() => db.project.count({ where: { id: damaged } })).toBe(0);
  });
});

describe('millrace backup verify', () => {
  test('names the part that is damaged, and restore changes nothing then', async () => {
    const { file, size } = await create('--with-secrets');
    const copy = join(folder, 'damaged.tar');
    await copyFile(file, copy);
    const bytes = await readFile(copy);
    const at = bytes.indexOf('database/public.users.copy.gz') + 512 + 20;
    const handle = await open(copy, 'r+');
    await handle.write(Buffer.from([(bytes[at] ?? 0) ^ 1]), 0, 1, at);
    await handle.close();
    const { code, stderr } = await run(['backup', 'verify', copy]);
    expect([code, stderr]).toEqual([
      1,
      'database/public.users.copy.gz is damaged: its checksum is wrong\n',
    ]);
    const place = await emptyPlace();
    expect((await place.run(['backup', 'restore', copy])).code).toBe(1);
    expect(await readdir(place.data)).toEqual([]);

    await truncate(copy, size - 4_096);
    expect((await run(['backup', 'verify', copy])).code).toBe(1);
    expect(await stat(file).then((stats) => stats.mode & 0o777)).toBe(0o600);
  });

  test('refuses what is no backup', async () => {
    const { code, stderr } = await run(['backup', 'verify', fileURLToPath(import.meta.url)]);
    expect(code).toBe(1);
    expect(stderr).not.toContain('    at ');
  });
});

describe('millrace backup restore', () => {
  test('refuses a folder or a database that is not empty', async () => {
    const { file } = await create('--with-secrets');
    const used = commandsOf(service);
    const { code, stderr } = await used.run(['backup', 'restore', file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty')]);
    const place = await emptyPlace();
    const mixed = commandsOf({ ...place.variables, DATABASE_URL: databaseUrl });
    const second = await mixed.run(['backup', 'restore', file]);
    expect([second.code, second.stderr]).toEqual([
      1,
      'The database is not empty: give an empty one.\n',
    ]);
    expect(await readdir(dirname(file))).toContain(basename(file));
  });

  test('refuses the backup of a newer version', async () => {
    const { file } = await create('--with-secrets');
    const text = await readFile(file, 'latin1');
    const [, last = ''] = /"(\d{14}_\w+)"\n {2}\],/.exec(text) ?? [];
    await writeFile(file, text.replace(last, last.replace(/^\d{14}/, '29991231000000')), 'latin1');
    const place = await emptyPlace();
    const { code, stderr } = await place.run(['backup', 'restore', file]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/which is newer: install that version\.\n$/),
    ]);
  });
});
