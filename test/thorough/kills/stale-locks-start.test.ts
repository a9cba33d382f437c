import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { git } from '../../support/git.ts';
import { startProcess } from '../../support/process.ts';
import { world } from '../../support/world.ts';

const { seed, db, dataFolder, databaseUrl } = await world();
await seed.user('ada');
const minutes = 60_000;

/** The folder of a new repository with the branches `master` and `old`. */
async function repository(fullPath: string): Promise<string> {
  const { id } = await seed.project(fullPath);
  await seed.push(fullPath, { 'README.md': '# App\n' });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const folder = join(dataFolder, 'repositories', `${diskPath}.git`);
  await git(folder, 'branch', 'old');
  return folder;
}

/** Starts a git process that has locked `refs/heads/new`, `refs/heads/old` and `packed-refs` and waits for `commit`. */
async function lockingGit(folder: string) {
  const child = spawn('git', [`--git-dir=${folder}`, 'update-ref', '--stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const head = await git(folder, 'rev-parse', 'master');
  const changes = [`create refs/heads/new ${head}`, 'delete refs/heads/old'];
  child.stdin.write(['start', ...changes, 'prepare', ''].join('\n'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toContain('prepare: ok');
  return child;
}

const locks = ['packed-refs.lock', 'refs/heads/new.lock', 'refs/heads/old.lock'];

/** Backdates the locks. */
const age = (folder: string) =>
  Promise.all(
    locks.map((lock) => {
      const then = new Date(Date.now() - 2 * minutes);
      return utimes(join(folder, lock), then, then);
    }),
  );

async function locksIn(folder: string, names: readonly string[] = locks) {
  const present = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return names.filter((_, place) => present[place]);
}

test('a start removes stale locks of a killed git, but no fresh locks or locks of a live git', async () => {
  // the sweep visits repositories in this order
  const [held, killed] = [await repository('ada/one'), await repository('ada/two')].sort();
  if (!held || !killed) throw new Error('there are not two repositories');
  const live = await lockingGit(held);
  await age(held);
  const victim = await lockingGit(killed);
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  await age(killed);
  await writeFile(join(killed, 'HEAD.lock'), '');
  expect(await locksIn(killed)).toEqual(locks);

  const server = await startProcess(await freePort(), {
    DATABASE_URL: databaseUrl,
    MILLRACE_DATA: dataFolder,
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  await expect.poll(() => locksIn(killed)).toEqual([]);
  expect(await locksIn(killed, ['HEAD.lock'])).toEqual(['HEAD.lock']);
  expect(await locksIn(held)).toEqual(locks);
  expect(server.output()).toContain('removed a lock that git left');

  live.stdin.end('commit\n');
  expect(await once(live, 'exit')).toEqual([0, null]);
  expect(await git(held, 'for-each-ref', '--format=%(refname)')).toBe(
    'refs/heads/master\nrefs/heads/new',
  );
});
