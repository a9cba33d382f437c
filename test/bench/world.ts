import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../prisma/client.ts';
import { git } from '../support/git.ts';
import { createGroups } from './groups.ts';
import { createProjects } from './projects.ts';
import { bigRepository, cachedRepository } from './repository.ts';
import { freePort, rootToken, type Service, startProgram, startService } from './service.ts';
import { type BenchTargets, findBenchTargets } from './targets.ts';
import { type BenchUsers, createUsers, readSecrets } from './users.ts';

/** A project with a repository on disk. */
export interface Repository {
  readonly id: number;
  readonly fullPath: string;
  /** The bare repository, under the server's data. */
  readonly folder: string;
}

export interface World {
  readonly service: Service;
  readonly twinUrl: string;
  readonly users: BenchUsers;
  readonly targets: BenchTargets;
  readonly big: Repository;
  /** Temporary folder, deleted at the end. */
  readonly folder: string;
  /** Creates one more project with an empty repository in the same group. */
  readonly project: (path: string) => Promise<Repository>;
  readonly close: () => Promise<void>;
}

/** Sends a token with the first request, as git alone would first send one without. */
export const asPusher = (token: string) => [
  '-c',
  `http.extraHeader=Authorization: Basic ${Buffer.from(`bench:${token}`).toString('base64')}`,
];

/** Everything the cases measure: the service, its data, the twin; `flags` are options for the server's node. */
export async function createWorld(flags: readonly string[]): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // PostgreSQL runs under its own account
  await chmod(folder, 0o755);
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  try {
    return await fill(folder, flags, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(
  folder: string,
  flags: readonly string[],
  closing: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<World> {
  const service = await startService(folder, flags);
  closing.push(service.stop);
  const session = await openSession(service.databaseUrl);
  const secrets = await readSecrets(service.dataFolder);
  const users = await createUsers(session, secrets);
  await createGroups(session, users);
  await createProjects(session, secrets, users);
  const targets = await findBenchTargets(session);

  const { url } = service;
  const post = (path: string, body: object) => postAsRoot(`${url}/api/v4${path}`, body);
  const group = await post('/groups', { name: 'Bench', path: 'bench', visibility: 'public' });
  await post(`/groups/${group.id}/members`, { user_id: users.member.id, access_level: 40 });
  const project = async (path: string): Promise<Repository> => {
    const defaults = { path, namespace_id: group.id, visibility: 'public' };
    const { id } = await post('/projects', defaults);
    const { rows } = await session.query('SELECT disk_path FROM projects WHERE id = $1', [id]);
    const diskPath = `${rows[0]?.disk_path}.git`;
    return {
      id,
      fullPath: `bench/${path}`,
      folder: join(service.dataFolder, 'repositories', diskPath),
    };
  };
  const big = await project('big');
  const source = await cachedRepository(bigRepository);
  const remote = `${url}/${big.fullPath}.git`;
  await git(source, ...asPusher(users.member.token), 'push', '--quiet', remote, 'master');
  closing.push(() => session.end());

  const port = await freePort();
  const twinUrl = `http://localhost:${port}`;
  const twin = await startProgram(
    ['test/bench/twin.ts'],
    {
      TWIN_PORT: String(port),
      TWIN_URL: url,
      TWIN_SSH_URL: `ssh://git@localhost:${service.sshPort}/`,
      TWIN_DATA: service.dataFolder,
      TWIN_DATABASE: service.databaseUrl,
      NODE_ENV: 'production',
    },
    { url: twinUrl, log: join(folder, 'twin.log') },
  );
  closing.push(twin.stop);
  return { service, twinUrl, users, targets, big, folder, project, close };
}

async function postAsRoot(url: string, body: object): Promise<{ readonly id: number }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Private-Token': rootToken, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${url} responded with ${response.status}: ${text}`);
  return JSON.parse(text);
}
