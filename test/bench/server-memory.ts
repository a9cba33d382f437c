import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { git } from '../support/git.ts';
import { type BenchRequest, load } from './load.ts';
import { memoryOf, untilIdle } from './memory.ts';
import { rootToken, type Service, startService } from './service.ts';
import { median } from './table.ts';

/** The bench of the start and of the memory of one server, which starts services of its own. */
export const memory = 'memory';

const requestCount = 3_000;
const connections = 12;
const clones = 5;
const projects = 25;
const issues = 40;

/** Seconds after which the garbage of the start has been collected. */
const settledAfter = 20;
const restedAfter = 60;

const headers = { 'Private-Token': rootToken };

const measures = [
  { name: 'ready, new data folder', unit: 'ms', goal: 1_500 },
  { name: 'ready, existing data folder', unit: 'ms', goal: 1_500 },
  { name: 'PSS at rest', unit: 'MB', goal: 190 },
  { name: 'PSS after the load', unit: 'MB', goal: 260 },
  { name: `PSS ${restedAfter} s after the load`, unit: 'MB', goal: 260 },
  { name: 'anonymous memory at rest', unit: 'MB' },
  { name: 'anonymous memory after the load', unit: 'MB' },
  { name: `anonymous memory ${restedAfter} s after the load`, unit: 'MB' },
] as const;

interface Options {
  readonly runs: number;
  /** For the server's node. */
  readonly flags: readonly string[];
}

/**
 * Prints the time until the server is ready, and its memory at rest, after a fixed load and a minute
 * later: the medians of `runs` runs, each with a new data folder.
 */
export async function measureServerMemory({ runs, flags }: Options): Promise<void> {
  const values: number[][] = measures.map(() => []);
  for (let run = 0; run < runs; run += 1) {
    const results = await measureOnce(flags);
    for (const [index, value] of results.entries()) values[index]?.push(value);
  }
  for (const [index, measure] of measures.entries()) printMeasure(measure, values[index] ?? []);
}

function printMeasure(
  { name, unit, goal }: { readonly name: string; readonly unit: string; readonly goal?: number },
  values: readonly number[],
): void {
  const middle = median(values);
  const spread = `(${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`;
  const verdict = goal === undefined ? '' : ` goal ≤ ${goal} ${middle <= goal ? 'ok' : 'short'}`;
  process.stdout.write(`${name.padEnd(40)} ${middle.toFixed(0)} ${unit} ${spread}${verdict}\n`);
}

async function measureOnce(flags: readonly string[]): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  try {
    // PostgreSQL runs under its own account
    await chmod(folder, 0o755);
    const first = await timedStart(folder, flags);
    const requests = await fill(first.service).finally(first.service.stop);
    const second = await timedStart(folder, flags);
    const { service } = second;
    try {
      await seconds(settledAfter);
      const rest = memoryOf(service.pid);
      await Promise.all([
        load(service.url, requests, { connections, requests: requestCount }),
        cloneRepeatedly(service, folder),
      ]);
      const loaded = memoryOf(service.pid);
      await seconds(restedAfter);
      const later = memoryOf(service.pid);
      const states = [rest, loaded, later];
      return [
        first.time,
        second.time,
        ...states.map(({ proportional }) => proportional),
        ...states.map(({ anonymous }) => anonymous),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

/** Milliseconds until the server responds, to a precision of 50. */
async function timedStart(folder: string, flags: readonly string[]) {
  const start = performance.now();
  const service = await startService(folder, flags);
  return { service, time: performance.now() - start };
}

/** Creates projects, files and issues; returns the requests of the load. */
async function fill(service: Service): Promise<readonly BenchRequest[]> {
  const post = async (path: string, body: object): Promise<{ readonly id: number }> => {
    const response = await fetch(`${service.url}/api/v4${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { readonly id: number };
  };
  const { id: group } = await post('/groups', { name: 'Bench', path: 'bench' });
  const { id } = await post('/projects', { path: 'project', namespace_id: group });
  for (let number = 1; number < projects; number += 1)
    await post('/projects', { path: `project-${number}`, namespace_id: group });
  for (let number = 0; number < issues; number += 1)
    await post(`/projects/${id}/issues`, { title: `Issue ${number}`, description: 'Text' });
  await post(`/projects/${id}/repository/commits`, {
    branch: 'master',
    commit_message: 'Add files',
    actions: Array.from({ length: 30 }, (_, number) => ({
      action: 'create',
      file_path: `folder/${number}.txt`,
      content: 'text\n'.repeat(100),
    })),
  });
  await untilIdle([service.pid]);
  const project = `/api/v4/projects/${id}`;
  const reads = [
    ...[project, '/api/v4/projects?per_page=20', `${project}/issues?per_page=20`],
    ...[`${project}/issues/1`, `${project}/repository/tree?path=folder`],
    ...[
      `${project}/repository/commits`,
      `${project}/repository/files/folder%2F0.txt/raw?ref=master`,
    ],
  ];
  const query = '{ projects(perPage: 20) { nodes { id name fullPath webUrl } } }';
  return [
    ...reads.map((path) => ({ path, headers })),
    { path: '/graphql', headers, body: JSON.stringify({ query }) },
  ];
}

async function cloneRepeatedly({ url }: Service, folder: string): Promise<void> {
  const target = join(folder, 'clone.git');
  const remote = `${url.replace('//', `//root:${rootToken}@`)}/bench/project.git`;
  for (let count = 0; count < clones; count += 1) {
    await git(folder, 'clone', '--quiet', '--bare', remote, target);
    await rm(target, { recursive: true });
  }
}
