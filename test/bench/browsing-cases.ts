import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gitEnvironment } from '../../server/git/process/environment.ts';
import { git } from '../support/git.ts';
import { blobIds } from './api-cases.ts';
import type { RequestCase, WorkCase } from './measure.ts';
import { freePort, type Program, rootToken, startProgram } from './service.ts';
import type { World } from './world.ts';

export const browsingCaseNames = [
  ...['per-request-tree', 'per-request-raw', 'per-request-commits', 'per-request-tags'],
  ...['compare-100', 'compare-again', 'archive', 'archive-tar', 'contributors'],
] as const;

export interface BrowsingCases {
  readonly requests: readonly RequestCase[];
  readonly work: readonly WorkCase[];
  readonly program: Program;
}

const tagsCount = 500;
const parts = 3;

/** Reads a repository of 10 000 commits, beside the git program on the same one. */
export async function browsingCases({
  service,
  users,
  big,
  folder,
}: World): Promise<BrowsingCases> {
  await createTags(big.folder);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const program = await startProgram(
    ['test/bench/git-per-request.ts'],
    { TWIN_PORT: String(port), TWIN_REPOSITORY: big.folder },
    { url, log: join(folder, 'git-per-request.log') },
  );
  const code = `/api/v4/projects/${big.id}/repository`;
  const headers = { 'Private-Token': users.member.token };
  const requestCase = (name: string, paths: readonly string[]): RequestCase => ({
    name,
    urls: [service.url, url],
    requests: paths.map((path) => ({ path: `${code}${path}`, headers })),
    goal: { kind: 'least', value: 20 },
    comparison: 'none',
  });
  const blobs = await blobIds(big.folder);
  const get = (path: string) => drained(`${service.url}${code}${path}`);
  const back = (await git(big.folder, 'rev-list', '--max-count=300', 'master')).split('\n');
  /** A new pair each time, because comparisons are cached. */
  const fromOf = (run: number, part: number) => back[100 + run * parts + part];
  const nothing = async () => {};
  return {
    program,
    requests: [
      requestCase('per-request-tree', ['/tree', '/tree?path=folder-3', '/tree?path=folder-25']),
      requestCase(
        'per-request-raw',
        blobs.map((sha) => `/blobs/${sha}/raw`),
      ),
      requestCase('per-request-commits', ['/commits']),
      requestCase('per-request-tags', ['/tags']),
    ],
    work: [
      {
        name: 'compare-100',
        unit: 'ms',
        parts,
        goal: { kind: 'most', value: 1.5 },
        ours: (run, part) => get(`/compare?from=${fromOf(run, part)}&to=master`),
        twin: (run, part) => drain(big.folder, ['diff', '-M', `${fromOf(run, part)}...master`]),
        after: nothing,
      },
      {
        name: 'compare-again',
        unit: 'ms',
        parts,
        goal: { kind: 'most', value: 1.5 },
        ours: () => get(`/compare?from=${back[100]}&to=master`),
        twin: () => drain(big.folder, ['diff', '-M', `${back[100]}...master`]),
        after: nothing,
      },
      {
        name: 'archive',
        unit: 'ms',
        goal: { kind: 'most', value: 1.25 },
        ours: () => get('/archive'),
        twin: () => drain(big.folder, ['archive', '--format=tar.gz', 'master']),
        after: nothing,
      },
      {
        name: 'archive-tar',
        unit: 'ms',
        goal: { kind: 'most', value: 1.25 },
        ours: () => get('/archive.tar'),
        twin: () => drain(big.folder, ['archive', '--format=tar', 'master']),
        after: nothing,
      },
      {
        name: 'contributors',
        unit: 'ms',
        parts,
        goal: { kind: 'most', value: 1 },
        ours: () => get('/contributors'),
        twin: () =>
          drain(big.folder, ['log', '--no-merges', '--numstat', '--max-count=2000', 'master']),
        after: nothing,
      },
    ],
  };
}

/** Uses the cheapest client: `fetch` cannot read a gigabyte per second. */
async function drained(url: string): Promise<void> {
  const request = get(url, { headers: { 'Private-Token': rootToken } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} responded with ${response.statusCode}`);
  response.resume();
  await once(response, 'end');
}

async function createTags(folder: string): Promise<void> {
  const shas = (await git(folder, 'rev-list', `--max-count=${tagsCount}`, 'master')).split('\n');
  const child = spawn('git', [`--git-dir=${folder}`, 'update-ref', '--stdin'], {
    env: gitEnvironment,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  child.stdin.end(shas.map((sha, index) => `create refs/tags/v${index} ${sha}\n`).join(''));
  const [status] = await exit;
  if (status !== 0) throw new Error('the tags could not be created');
}

async function drain(folder: string, args: readonly string[]): Promise<void> {
  const child = spawn('git', [`--git-dir=${folder}`, ...args], {
    env: gitEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  child.stdout.resume();
  const [status] = await exit;
  if (status !== 0) throw new Error(`git ${args[0]} ended with ${status}`);
}
