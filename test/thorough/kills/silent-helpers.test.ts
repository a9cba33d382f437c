import { execFileSync, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { commit, temporaryFolder, tryGit, workTree } from '../../support/git.ts';
import {
  childOf,
  helperFailuresAt,
  isRunning,
  processWith,
  sendSignal,
} from '../../support/helpers.ts';
import { gitWith, sshKeyPair } from '../../support/ssh.ts';
import { world } from '../../support/world.ts';

/*
 * A helper process that is stopped or killed is replaced: requests of every kind get 503 at most, until
 * the next one serves them.
 */

const sshPort = await freePort();
const { as, root, seed, url, dataFolder, remote } = await world({
  variables: { MILLRACE_SSH_PORT: String(sshPort) },
  limits: { helpers: { intervalMs: 100, silentMs: 300 } },
  isOneProcess: true,
});
await seed.project('root/app', {}, { visibility: 'public' });
await seed.push('root/app', { 'a.txt': 'one\n', 'docs/b.txt': 'two\n' });
const folder = await temporaryFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));
const key = await sshKeyPair(folder);
await as(root).post('/user/keys', { title: 'laptop', key: key.publicKey });
const sshAddress = `ssh://git@localhost:${sshPort}/root/app.git`;

const spawnerPid = () => childOf(process.pid, 'spawner-program.ts');
const catFilePid = () => processWith('cat-file --batch-command', dataFolder);
const sshPid = () => childOf(process.pid, 'ssh/program.ts');
const readiness = async () => (await fetch(`${url}/-/readiness`)).status;

/** What a request may get: success, or 503 with the time after which to try again. */
type Outcome = 'success' | 'unavailable';

async function outcomeOf(path: string, method = 'GET'): Promise<Outcome> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'Private-Token': root.token },
  });
  const body = await response.text();
  if (response.ok) return 'success';
  expect(response.status, body).toBe(503);
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
  return 'unavailable';
}

let files = 0;
const newFile = () => {
  files += 1;
  return `new-${files}.txt`;
};

const project = '/api/v4/projects/root%2Fapp/repository';
const clone = async (): Promise<Outcome> => {
  const target = join(folder, crypto.randomUUID());
  const { code, stderr } = await tryGit(
    folder,
    'clone',
    '--quiet',
    remote('root/app', root),
    target,
  );
  if (code !== 0)
    expect(stderr).toMatch(/503|unexpected disconnect|early EOF|hung up|remote error/);
  return code === 0 ? 'success' : 'unavailable';
};
const cloneOverSsh = async (): Promise<Outcome> => {
  const target = join(folder, crypto.randomUUID());
  return (await gitWith(key, folder, 'clone', '--quiet', sshAddress, target)).code === 0
    ? 'success'
    : 'unavailable';
};
const push = async (): Promise<Outcome> => {
  const work = await workTree({ [newFile()]: 'new\n' });
  onTestFinished(() => rm(work, { recursive: true, force: true }));
  await commit(work, { [newFile()]: 'newer\n' }, 'Change');
  const branch = `HEAD:refs/heads/${crypto.randomUUID()}`;
  const { code, stderr } = await tryGit(work, 'push', '--quiet', remote('root/app', root), branch);
  if (code !== 0) expect(stderr).toMatch(/503|unexpected disconnect|hung up|remote|hook declined/);
  return code === 0 ? 'success' : 'unavailable';
};

const requests: readonly (readonly [string, () => Promise<Outcome>])[] = [
  ['a file', () => outcomeOf(`${project}/files/a.txt/raw?ref=master`)],
  ['a tree', () => outcomeOf(`${project}/tree?path=docs`)],
  ['commits', () => outcomeOf(`${project}/commits?path=a.txt`)],
  ['blame', () => outcomeOf(`${project}/files/a.txt/blame?ref=master`)],
  ['an archive', () => outcomeOf(`${project}/archive.tar.gz`)],
  ['a page', () => outcomeOf('/root/app')],
  ['a page of a file', () => outcomeOf('/root/app/-/blob/master/a.txt')],
  ['a clone over HTTP', clone],
  ['a clone over SSH', cloneOverSsh],
  ['a push', push],
];

/** Sends a request of each kind at once, and each again until it succeeds. */
async function expectRecovery(): Promise<void> {
  await Promise.all(
    requests.map(async ([name, send]) => {
      await expect.poll(send, { timeout: 60_000, message: name }).toBe('success');
    }),
  );
}

/** Requests the readiness until the test ends; gives the statuses that it has had. */
function watchReadiness() {
  const statuses = new Set<number>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) statuses.add(await readiness());
  })();
  onTestFinished(async () => {
    isOver = true;
    await watching;
  });
  return statuses;
}

describe('the program that starts git', () => {
  test.each([
    ['SIGSTOP', 'silent'],
    ['SIGKILL', 'exited'],
  ] as const)('is replaced after %s', { timeout: 120_000 }, async (signal, reason) => {
    await expectRecovery();
    const pid = await spawnerPid();
    const failures = await helperFailuresAt(url, 'spawner', reason);
    const statuses = watchReadiness();
    sendSignal(pid, signal);
    await expectRecovery();
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect.poll(spawnerPid).not.toBe(pid);
    await expect.poll(() => [...statuses]).toContain(503);
    await expect.poll(readiness).toBe(200);
    expect(await helperFailuresAt(url, 'spawner', reason)).toBe(failures + 1);
    await expectRecovery();
  });

  test('leaves no child of its own behind that is stopped, too', { timeout: 60_000 }, async () => {
    await expectRecovery();
    const pid = await spawnerPid();
    expect(await outcomeOf(`${project}/files/a.txt/raw?ref=master`)).toBe('success');
    const child = await catFilePid();
    for (const each of [child, pid]) sendSignal(each, 'SIGSTOP');
    expect(await outcomeOf(`${project}/tree?path=docs&ref=master`)).toBeDefined();
    await expect
      .poll(async () => (await Promise.all([pid, child].map(isRunning))).includes(true), {
        timeout: 40_000,
      })
      .toBe(false);
    await expectRecovery();
  });

  test('that cannot start git makes the server unready until it can', async () => {
    await expectRecovery();
    const pid = await spawnerPid();
    const limit = (value: string) =>
      execFileSync('prlimit', ['--pid', String(pid), `--nofile=${value}`]);
    expect(await readiness()).toBe(200);
    limit('10:4096');
    const blame = () => outcomeOf(`${project}/files/docs%2Fb.txt/blame?ref=master`);
    expect(await blame()).toBe('unavailable');
    await expect.poll(readiness).toBe(503);
    limit('4096:4096');
    await expect.poll(readiness).toBe(200);
    await expect.poll(blame).toBe('success');
  });
});

describe('a process that reads objects', () => {
  test.each([
    ['SIGSTOP', 'silent'],
    ['SIGKILL', 'exited'],
  ] as const)('is replaced after %s, and its requests succeed', async (signal, reason) => {
    const raw = () => outcomeOf(`${project}/files/a.txt/raw?ref=master`);
    expect(await raw()).toBe('success');
    const pid = await catFilePid();
    const failures = await helperFailuresAt(url, 'cat-file', reason);
    sendSignal(pid, signal);
    const tree = () => outcomeOf(`${project}/files/${encodeURIComponent('docs/b.txt')}?ref=master`);
    expect(await Promise.all([raw(), tree(), raw()])).toEqual(['success', 'success', 'success']);
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect.poll(() => helperFailuresAt(url, 'cat-file', reason)).toBeGreaterThan(failures);
  });
});

test('a git process that is stopped is killed, and its request ends', async () => {
  await expectRecovery();
  const spawner = await spawnerPid();
  const failures = await helperFailuresAt(url, 'git', 'silent');
  // git waits for the client, which has sent a part of its request only
  const address = new URL(`${url}/root/app.git/git-upload-pack`);
  const socket = connect(Number(address.port), address.hostname);
  onTestFinished(() => void socket.destroy());
  const head = [
    `POST ${address.pathname} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/x-git-upload-pack-request',
    'Content-Length: 1000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n0032`);
  const pid = await childOf(spawner, 'upload-pack');
  sendSignal(pid, 'SIGSTOP');
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(await helperFailuresAt(url, 'git', 'silent')).toBe(failures + 1);
  await expectRecovery();
});

describe('the SSH process', () => {
  test.each([
    ['SIGSTOP', 'silent'],
    ['SIGKILL', 'exited'],
  ] as const)('is replaced after %s', { timeout: 60_000 }, async (signal, reason) => {
    await expect.poll(cloneOverSsh).toBe('success');
    const pid = await sshPid();
    const failures = await helperFailuresAt(url, 'ssh', reason);
    sendSignal(pid, signal);
    await expect.poll(cloneOverSsh, { timeout: 40_000 }).toBe('success');
    expect(await isRunning(pid)).toBe(false);
    expect(await sshPid()).not.toBe(pid);
    expect(await helperFailuresAt(url, 'ssh', reason)).toBe(failures + 1);
  });
});

describe('a healthy helper', () => {
  const pids = () => Promise.all([spawnerPid(), sshPid()]);

  test('survives while the event loop of the server is blocked', async () => {
    await expectRecovery();
    const before = await pids();
    for (let round = 0; round < 3; round += 1) {
      const end = performance.now() + 1_000;
      while (performance.now() < end);
      await expect.poll(readiness).toBe(200);
    }
    await expectRecovery();
    expect(await pids()).toEqual(before);
  });

  test('survives on a machine whose processors are busy', { timeout: 120_000 }, async () => {
    await expectRecovery();
    const before = await pids();
    // more work of others than processors, and a small share for the helpers
    for (const pid of before) execFileSync('renice', ['-n', '15', '-p', String(pid)]);
    const burners = Array.from({ length: 2 * availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    );
    onTestFinished(() => {
      for (const burner of burners) burner.kill('SIGKILL');
    });
    for (let round = 0; round < 5; round += 1) {
      await expect.poll(() => outcomeOf(`${project}/files/a.txt/blame?ref=master`)).toBe('success');
    }
    await expect.poll(cloneOverSsh, { timeout: 60_000 }).toBe('success');
    expect(await pids()).toEqual(before);
  });
});
