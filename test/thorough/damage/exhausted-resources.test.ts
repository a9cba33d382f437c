import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { formOf } from '../../support/form.ts';
import { freePort } from '../../support/free-port.ts';
import { commit, temporaryFolder, tryGit, workTree } from '../../support/git.ts';
import { childOf } from '../../support/helpers.ts';
import { deleteAfterTest, killableServers, remoteOf } from '../../support/killable.ts';
import { rootToken, type ServerProcess } from '../../support/process.ts';
import { gitWith, sshKeyPair } from '../../support/ssh.ts';

/*
 * A server whose open files or processes are used up: what needs another one gets 503, the process stays, and
 * serves everything again as soon as there are some.
 */

const run = promisify(execFile);

interface Answer {
  readonly status: number;
  readonly wait: string | undefined;
}

const basic = `Basic ${Buffer.from(`root:${rootToken}`).toString('base64')}`;

/** Requests over connections that were opened before. */
function clientOf({ url }: ServerProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  onTestFinished(() => agent.destroy());
  return (method: string, path: string, body?: { type: string; bytes: Buffer }) =>
    new Promise<Answer>((resolve) => {
      const headers = {
        ...(path.includes('.git/') ? { Authorization: basic } : { 'Private-Token': rootToken }),
        ...(body && { 'Content-Type': body.type, 'Content-Length': body.bytes.length }),
      };
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        response.resume();
        response.once('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            wait: response.headers['retry-after'],
          }),
        );
      });
      // a connection that cannot be accepted is closed
      sent.once('error', () => resolve({ status: 0, wait: undefined }));
      sent.end(body?.bytes);
    });
}

const connections = 8;

type Send = ReturnType<typeof clientOf>;

const json = (value: object) => ({
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

async function uploadOf() {
  const form = formOf({ file: { name: 'a.txt', content: 'text' } });
  const whole = new Response(form);
  return {
    type: whole.headers.get('Content-Type') ?? '',
    bytes: Buffer.from(await whole.arrayBuffer()),
  };
}

/** A server with the projects `app` and `cold`, which no process of git reads yet. */
async function served() {
  const sshPort = await freePort();
  const { start } = await killableServers({ MILLRACE_SSH_PORT: String(sshPort) });
  const server = await start();
  const send = clientOf(server);
  const key = await sshKeyPair(deleteAfterTest(await temporaryFolder()));
  await send('POST', '/api/v4/user/keys', json({ title: 'laptop', key: key.publicKey }));
  const address = `ssh://git@localhost:${sshPort}/root/app.git`;
  const listOverSsh = () => gitWith(key, tmpdir(), 'ls-remote', address);
  for (const name of ['app', 'cold']) {
    expect(
      (await send('POST', '/api/v4/projects', json({ name, visibility: 'public' }))).status,
    ).toBe(201);
    const work = await workTree({ 'a.ts': 'one\n', '.gitlab-ci.yml': 'a: { script: b }\n' });
    await commit(work, { 'b.ts': 'two\n' }, 'Second');
    expect((await tryGit(work, 'push', '--quiet', remoteOf(server, name), 'master')).code).toBe(0);
  }
  return { server, send, listOverSsh };
}

/** A CI file that is read in a thread. */
const manyJobs = Array.from({ length: 3_000 }, (_, n) => `a${n}: { script: b }`).join('\n');

/** Milliseconds after which the task of a thread is given up. */
const taskLimit = 5_000;

let files = 0;

/** The statuses of requests that need files, processes or threads, each of which is 503 or a success. */
async function outcomes(send: Send, name: string): Promise<readonly string[]> {
  files += 1;
  const project = `/api/v4/projects/root%2F${name}`;
  const change = { branch: 'master', content: 'x', commit_message: 'Add' };
  const requests: readonly (readonly [string, string, Parameters<Send>[2]?])[] = [
    ['GET', `${project}/repository/tree`],
    ['GET', `${project}/repository/commits`],
    ['GET', `${project}/repository/files/a.ts?ref=master`],
    ['GET', `${project}/repository/files/a.ts/blame?ref=master`],
    ['GET', `${project}/repository/archive`],
    ['GET', `${project}/languages`],
    ['GET', `${project}/search?scope=blobs&search=one`],
    ['GET', `/root/${name}.git/info/refs?service=git-upload-pack`],
    ['GET', `/root/${name}.git/info/refs?service=git-receive-pack`],
    ['GET', `/root/${name}`],
    ['POST', `${project}/repository/files/new-${files}.ts`, json(change)],
    ['POST', `${project}/uploads`, await uploadOf()],
    ['POST', `/api/v4/projects`, json({ name: `project-${files}` })],
    ['POST', `${project}/pipeline`, json({ ref: 'master' })],
    ['POST', '/api/v4/ci/lint', json({ content: `${manyJobs}\n# ${files}` })],
  ];
  const found: string[] = [];
  for (const [method, path, body] of requests) {
    const { status, wait } = await send(method, path, body);
    const isServed = status < 400;
    const isRefused = status === 503 && Number(wait) > 0;
    const verdict = status === 0 ? 'closed' : isServed ? 'served' : isRefused ? 'refused' : status;
    found.push(`${method} ${path}: ${verdict}`);
  }
  return found;
}

/** Those that were not served. */
const failed = (found: readonly string[]) => found.filter((line) => !line.endsWith(': served'));

/** Those that were neither served nor refused as the limit requires. */
const wrong = (found: readonly string[]) =>
  failed(found).filter((line) => !/: (?:refused|closed)$/.test(line));

/** Opens all connections, before none can be opened. */
const connect = (send: Send) =>
  Promise.all(Array.from({ length: connections }, () => send('GET', '/-/liveness')));

async function expectRefusals({ server, send }: Awaited<ReturnType<typeof served>>) {
  const found = [...(await outcomes(send, 'app')), ...(await outcomes(send, 'cold'))];
  for (const path of ['/-/liveness', '/-/metrics'])
    expect([path, (await send('GET', path)).status]).toEqual([path, 200]);
  expect(wrong(found)).toEqual([]);
  expect(found.filter((line) => line.endsWith(': refused'))).not.toEqual([]);
  expect(server.child.exitCode).toBeNull();
}

async function expectRecovery({ server, send }: Awaited<ReturnType<typeof served>>) {
  await expect.poll(async () => failed(await outcomes(send, 'cold'))).toEqual([]);
  await expect.poll(async () => (await send('GET', '/-/readiness')).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
  expect(server.output()).not.toContain('"msg":"request failed"');
}

describe('without free file descriptors', () => {
  const setLimit = (pid: number, limit: number) =>
    run('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);

  test('requests get 503, and the same process serves them again', async () => {
    const service = await served();
    const { server, send } = service;
    const { pid = 0 } = server.child;
    expect(failed(await outcomes(send, 'app'))).toEqual([]);
    await connect(send);
    // below those that are open
    await setLimit(pid, 16);
    await expectRefusals(service);
    await setLimit(pid, 10_000);
    await expectRecovery(service);
  }, 60_000);
});

/** The folder of control groups that limit the number of processes, if this account may add to it. */
const groups = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].find((folder) =>
  existsSync(join(folder, folder.endsWith('pids') ? 'cgroup.procs' : 'cgroup.subtree_control')),
);

async function processGroup(): Promise<string | null> {
  if (!groups) return null;
  const folder = join(groups, `millrace-${crypto.randomUUID().slice(0, 8)}`);
  try {
    await mkdir(folder);
    writeFileSync(join(folder, 'pids.max'), 'max');
    return folder;
  } catch {
    return null;
  }
}

const group = await processGroup();

afterAll(async () => {
  if (group === null) return;
  // the server ends with its test
  const isEmpty = () => readFileSync(join(group, 'cgroup.procs'), 'utf8') === '';
  await vi.waitUntil(isEmpty, { timeout: 20_000 });
  rmdirSync(group);
});

describe.skipIf(group === null)('without free processes', () => {
  test('requests get 503, and the same process serves them again', async () => {
    const folder = group ?? '';
    const service = await served();
    const { server, send } = service;
    const { pid = 0 } = server.child;
    expect(failed(await outcomes(send, 'app'))).toEqual([]);
    const helpers = ['spawner-program.ts', 'ssh/program.ts'];
    for (const member of [pid, ...(await Promise.all(helpers.map((name) => childOf(pid, name))))])
      writeFileSync(join(folder, 'cgroup.procs'), String(member));
    writeFileSync(join(folder, 'pids.max'), '1');
    await expectRefusals(service);
    const refusedAt = performance.now();
    const listed = await service.listOverSsh();
    expect(listed.stderr).toContain('Git is not available. Try again in 10 seconds.');
    writeFileSync(join(folder, 'pids.max'), 'max');
    expect((await service.listOverSsh()).code).toBe(0);
    await expectRecovery(service);
    // what was refused a thread is not given up later, which would be a failure that nothing handles
    await expect.poll(() => performance.now() - refusedAt).toBeGreaterThan(taskLimit + 1_000);
    expect((await send('GET', '/-/liveness')).status).toBe(200);
  }, 60_000);
});
