import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { collector } from '../../support/collector.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { git, temporaryFolder } from '../../support/git.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

const commitCount = 1_150;
const firstTime = 1_506_859_200;
const undo: (() => Promise<unknown> | unknown)[] = [];
const received = await collector();
let server: ServerProcess;
let work = '';

/** Commits that change `even.txt` and `odd.txt` in turn, and every tenth `tens/file.txt`. */
function history(): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commits = Array.from({ length: commitCount }, (_, number) => {
    const files = [number % 2 === 0 ? 'even.txt' : 'odd.txt'];
    if (number % 10 === 0) files.push('tens/file.txt');
    return [
      `commit refs/heads/master\ncommitter Ada <ada@example.com> ${firstTime + number * 60} +0000\n`,
      data(`Change ${number}`),
      ...files.map((path) => `M 100644 inline ${path}\n${data(`${number}`)}`),
    ].join('');
  });
  return commits.join('');
}

beforeAll(async () => {
  const database = await cloneDatabase(inject('databaseUrl'));
  undo.push(() => database.drop());
  const folder = await mkdtemp(join(tmpdir(), 'millrace-walks-'));
  undo.push(() => rm(folder, { recursive: true }));
  server = await startProcess(await freePort(), {
    DATABASE_URL: database.url,
    MILLRACE_DATA: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${received.url}/`,
  });
  undo.push(() => server.kill('SIGKILL'));
  work = await temporaryFolder();
  undo.push(() => rm(work, { recursive: true }));
  await git(work, 'init', '--quiet', '--initial-branch=master');
  const file = join(work, 'history.stream');
  await writeFile(file, history());
  await git(work, '-c', `alias.load=!git fast-import --quiet < ${file}`, 'load');
  const created = await clientOf(server.url, rootToken).post('/projects', { path: 'app' });
  expect(created.status).toBe(201);
  const remote = `${server.url.replace('://', `://root:${rootToken}@`)}/root/app.git`;
  await git(work, 'push', '--quiet', remote, 'master');
});

afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** Sends a request in a trace of its own; `walks` gives the number of walks that git made for it. */
async function traced(path: string, init: RequestInit = {}) {
  const traceId = randomBytes(16).toString('hex');
  const response = await fetch(`${server.url}${path}`, {
    ...init,
    headers: {
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
      'PRIVATE-TOKEN': rootToken,
      'Content-Type': 'application/json',
    },
  });
  const body = await response.json();
  const walks = async () => {
    // the span of the request ends last; spans are exported every five seconds
    await vi.waitUntil(() => received.trace(traceId).some(({ kind }) => kind === 2), 20_000);
    return received.trace(traceId).filter(({ name }) => name === 'git rev-list').length;
  };
  return { response, body, walks };
}

const commits = (query: string) =>
  traced(`/api/v4/projects/root%2Fapp/repository/commits?${query}`);

/** The same by GraphQL. */
const listed = (args: string, selection: string) => {
  const query = `{ project(id: "root/app") { repository { commits(${args}) { ${selection} } } } }`;
  return traced('/graphql', { method: 'POST', body: JSON.stringify({ query }) });
};

const commitsOf = (body: unknown) =>
  (body as { data: { project: { repository: { commits: Record<string, unknown> } } } }).data.project
    .repository.commits;

const [sinceSeconds, untilSeconds] = [firstTime + 3 * 3_600, firstTime + 15 * 3_600];
const since = new Date(sinceSeconds * 1_000).toISOString();
const until = new Date(untilSeconds * 1_000).toISOString();
const fromSince = `--since=@${sinceSeconds} +0000`;
const toUntil = `--until=@${untilSeconds} +0000`;

describe('a page of commits and its total are one walk of the history', () => {
  test.concurrent.each<[title: string, query: string, options: readonly string[]]>([
    ['of a file', 'path=even.txt', ['--', 'even.txt']],
    ['of a folder', 'path=tens', ['--', 'tens']],
    ['of a missing path', 'path=missing/file.txt', ['--', 'missing/file.txt']],
    ['since a time', `since=${since}`, [fromSince]],
    ['until a time', `until=${until}`, [toUntil]],
    [
      'of a file between two times',
      `path=odd.txt&since=${since}&until=${until}`,
      [fromSince, toUntil, '--', 'odd.txt'],
    ],
    ['of a file, later page', 'path=odd.txt&page=5&per_page=100', ['--', 'odd.txt']],
    ['that begins beyond 1,000', 'since=1970-01-02T00:00:00Z&page=11&per_page=100', []],
    ['across 1,000', 'since=1970-01-03T00:00:00Z&page=10&per_page=100', []],
    ['at the end', 'since=1970-01-04T00:00:00Z&page=12&per_page=100', []],
    ['beyond the end', 'since=1970-01-05T00:00:00Z&page=30&per_page=100', []],
  ])('%s', async (_title, query, options) => {
    const ids = (await git(work, 'rev-list', 'master', ...options)).split('\n').filter(Boolean);
    const { response, body, walks } = await commits(query);
    const page = Number(new URLSearchParams(query).get('page') ?? 1);
    const size = Number(new URLSearchParams(query).get('per_page') ?? 20);
    expect(response.status).toBe(200);
    expect((body as { id: string }[]).map(({ id }) => id)).toEqual(
      ids.slice((page - 1) * size, page * size),
    );
    expect(response.headers.get('x-total')).toBe(String(ids.length));
    expect(await walks()).toBe(1);
  });

  test.concurrent('also in a search of messages', async () => {
    const { body, walks } = await listed(
      'filter: { search: "change 11" }',
      'total nodes { title }',
    );
    const total = await git(work, 'rev-list', '-i', '--grep=change 11', '--count', 'master');
    expect([commitsOf(body).total, await walks()]).toEqual([Number(total), 1]);
  });
});

test('a path without commits costs no walk the second time, on no page and by no name', async () => {
  const first = await commits('path=never');
  const head = await git(work, 'rev-parse', 'master');
  const later = [];
  for (const query of ['', '&page=2', '&per_page=100', `&until=${until}`, `&ref_name=${head}`])
    later.push(await commits(`path=never${query}`));
  expect(await first.walks()).toBe(1);
  for (const { response, body, walks } of later)
    expect([body, response.headers.get('x-total'), await walks()]).toEqual([[], '0', 0]);
});

test('a page without its total ends the walk, and the total is right afterwards', async () => {
  const filter = 'first: 2, filter: { since: "1971-01-01T00:00:00Z" }';
  const { body, walks } = await listed(filter, 'nodes { title }');
  const titles = [1, 2].map((back) => ({ title: `Change ${commitCount - back}` }));
  expect([commitsOf(body).nodes, await walks()]).toEqual([titles, 1]);
  const { response } = await commits('since=1971-01-01T00:00:00Z');
  expect(response.headers.get('x-total')).toBe(String(commitCount));
});
