import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { openSession, type Session } from '../../prisma/client.ts';
import { type Client, clientOf } from '../support/client.ts';
import { commit, git, workTree } from '../support/git.ts';
import { cachedRepository, type RepositoryPlan } from './repository.ts';
import { rootToken, type Service, startService } from './service.ts';
import { median } from './table.ts';

/** The bench of walks of a long history and of many small pushes, which starts a service of its own. */
export const history = 'history';

const plan: RepositoryPlan = { seed: 'history', commits: 40_000, bytes: 100, paths: 2_000 };
const walks = 5;
const clones = 5;

interface Options {
  /** The number of small pushes. */
  readonly pushes: number;
  readonly flags: readonly string[];
}

const print = (text: string) => process.stdout.write(`${text}\n`);

export async function measureHistory({ pushes, flags }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // PostgreSQL runs under its own account
  await chmod(folder, 0o755);
  const service = await startService(folder, flags);
  const session = await openSession(service.databaseUrl);
  try {
    await measureWalks(service, session);
    await measurePushes(service, session, pushes);
  } finally {
    await session.end();
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

const remoteOf = ({ url }: Service, path: string) =>
  `${url.replace('://', `://root:${rootToken}@`)}/root/${path}.git`;

/** Waits until no background job is left. */
async function untilJobsEnd(session: Session): Promise<void> {
  const count = async () => {
    const { rows } = await session.query(
      `SELECT count(*)::int AS count FROM pgboss.job
       WHERE state < 'completed' AND name NOT LIKE '\\_\\_%'`,
    );
    return Number(rows[0]?.count);
  };
  while ((await count()) > 0) await pause(100);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Lists the commits of paths in a repository of 40,000 commits, with their total. */
async function measureWalks(service: Service, session: Session): Promise<void> {
  const root = clientOf(service.url, rootToken);
  await root.post('/projects', { path: 'long' });
  await git(await cachedRepository(plan), 'push', '--quiet', remoteOf(service, 'long'), 'master');
  print(
    `jobs after a push of ${plan.commits} commits: ${seconds(await timed(() => untilJobsEnd(session)))}`,
  );
  const cases: readonly [title: string, path: (number: number) => string][] = [
    ['a missing path', (number) => `missing/${number}.txt`],
    ['a file with 20 commits', (number) => `file-${number}.txt`],
  ];
  for (const [title, pathOf] of cases) {
    const times: Readonly<Record<'first' | 'second', number[]>> = { first: [], second: [] };
    for (let number = 0; number < walks; number += 1)
      for (const ofAll of [times.first, times.second])
        ofAll.push(await timed(() => commitsOf(root, pathOf(number))));
    print(
      `commits of ${title}, of ${plan.commits}: ${median(times.first).toFixed(0)} ms, ` +
        `again ${median(times.second).toFixed(1)} ms`,
    );
  }
}

async function commitsOf(root: Client, path: string): Promise<void> {
  const { status } = await root.get(`/projects/root%2Flong/repository/commits?path=${path}`);
  if (status !== 200) throw new Error(`commits of ${path}: ${status}`);
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Pushes small commits, and clones the repository before and after housekeeping. */
async function measurePushes(service: Service, session: Session, pushes: number): Promise<void> {
  const root = clientOf(service.url, rootToken);
  await root.post('/projects', { path: 'small' });
  const { rows } = await session.query(`SELECT disk_path FROM projects WHERE path = 'small'`);
  const folder = join(service.dataFolder, 'repositories', `${rows[0]?.disk_path}.git`);
  const remote = remoteOf(service, 'small');
  const work = await workTree({ 'README.md': '# Small\n' });
  const times: number[] = [];
  for (let number = 0; number < pushes; number += 1) {
    const content = `${'a line of text\n'.repeat(20)}${number} ${crypto.randomUUID()}\n`;
    await commit(work, { [`file-${number % 40}.txt`]: content }, `Change ${number}`);
    times.push(await timed(() => git(work, 'push', '--quiet', remote, 'master')));
  }
  await untilJobsEnd(session);
  times.sort((one, other) => one - other);
  const late = times[Math.floor(times.length * 0.99)] ?? 0;
  print(`${pushes} small pushes: ${median(times).toFixed(0)} ms each, p99 ${late.toFixed(0)} ms`);
  print(`  afterwards: ${await stateOf(folder, work, remote)}`);
  await root.post('/projects/root%2Fsmall/housekeeping', {});
  await untilJobsEnd(session);
  print(`  after housekeeping: ${await stateOf(folder, work, remote)}`);
  await rm(work, { recursive: true });
}

/** The size and number of a repository's object files, and the time of a clone. */
async function stateOf(folder: string, work: string, remote: string): Promise<string> {
  const entries = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  let kibibytes = 0;
  for (const { parentPath, name } of files)
    kibibytes += (await stat(join(parentPath, name))).blocks / 2;
  const times: number[] = [];
  for (let number = 0; number < clones; number += 1) {
    times.push(await timed(() => git(work, 'clone', '--quiet', '--bare', remote, 'clone')));
    await rm(join(work, 'clone'), { recursive: true });
  }
  return `${(kibibytes / 1024).toFixed(1)} MiB in ${files.length} files, clone ${median(times).toFixed(0)} ms`;
}
