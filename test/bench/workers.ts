import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startEmbedded } from '../../prisma/embedded.ts';
import { serverProcess } from '../../server/serve.ts';
import { git } from '../support/git.ts';
import { freePort, type Program, rootToken, startProgram } from './service.ts';
import { median } from './table.ts';

/** The bench of one process beside two, which starts services of its own. */
export const workers = 'workers';

const connections = 32;
const projects = 16;
/** Processor time is counted in hundredths of a second. */
const ticksPerSecond = 100;

/** A way to run the service: `urls` of the processes, of which a proxy shows one address. */
interface Setup {
  readonly name: string;
  readonly processes: number;
  readonly workers: number;
  readonly hasProxy: boolean;
}

const setups: readonly Setup[] = [
  { name: '1 process', processes: 1, workers: 1, hasProxy: false },
  { name: '2 workers', processes: 1, workers: 2, hasProxy: false },
  { name: '1 process behind nginx', processes: 1, workers: 1, hasProxy: true },
  { name: '2 processes behind nginx', processes: 2, workers: 1, hasProxy: true },
];

interface Running extends Setup {
  readonly url: string;
  /** The pids of the processes that belong to it. */
  readonly pids: { readonly server: readonly number[]; readonly proxy: readonly number[] };
}

interface Options {
  readonly runs: number;
  readonly seconds: number;
}

type Undo = () => Promise<unknown>;

/**
 * Loads the same service run by one process and by two, in turn, and prints requests per second with
 * the processor time that each part spent on a request. The generator is wrk, which needs little of it.
 */
export async function measureWorkers({ runs, seconds }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-workers-'));
  const undo: Undo[] = [() => rm(folder, { recursive: true })];
  try {
    const database = await startEmbedded({
      folder: join(folder, 'postgres'),
      connections: 300,
      log: () => {},
    });
    undo.push(() => database.stop());
    const running: Running[] = [];
    for (const setup of setups) {
      running.push(await start(setup, { folder, databaseUrl: database.url, undo }));
    }
    const cases = await fill(running[0]?.url ?? '', folder);
    const databasePid = await postmasterPid(join(folder, 'postgres', 'cluster'));
    process.stdout.write(`${availableParallelism()} cores, ${connections} connections, wrk\n`);
    for (const [name, paths] of Object.entries(cases)) {
      const script = join(folder, `${name}.lua`);
      await writeFile(script, scriptFor(paths));
      for (const service of running) await load(service.url, script, 2);
      const results = running.map((): Result[] => []);
      for (let run = 0; run < runs; run += 1) {
        for (const [index, service] of running.entries()) {
          results[index]?.push(await measure(service, { script, seconds, databasePid }));
        }
      }
      printCase(name, results);
    }
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function start(
  setup: Setup,
  { folder, databaseUrl, undo }: { folder: string; databaseUrl: string; undo: Undo[] },
): Promise<Running> {
  const servers: (Program & { readonly port: number })[] = [];
  for (let count = 0; count < setup.processes; count += 1) {
    const port = await freePort();
    const server = await startProgram(
      [...serverProcess.flags, 'server/main.ts'],
      {
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        MILLRACE_DATA: join(folder, 'data'),
        MILLRACE_ROOT_TOKEN: rootToken,
        MILLRACE_WORKERS: String(setup.workers),
        MILLRACE_LOG: 'warn',
        MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1',
        ...serverProcess.defaults,
        ...serverProcess.variables,
      },
      { url: `http://127.0.0.1:${port}/-/readiness`, log: join(folder, 'server.log') },
    );
    undo.push(() => server.stop());
    servers.push({ ...server, port });
  }
  const ports = servers.map(({ port }) => port);
  const proxy = setup.hasProxy ? await startNginx(ports, folder) : null;
  if (proxy) undo.push(() => proxy.stop());
  return {
    ...setup,
    url: `http://127.0.0.1:${proxy?.port ?? ports[0]}`,
    pids: { server: servers.map(({ pid }) => pid), proxy: proxy ? [proxy.pid] : [] },
  };
}

async function startNginx(ports: readonly number[], folder: string) {
  const port = await freePort();
  const file = join(folder, `nginx-${port}.conf`);
  await mkdir(join(folder, 'nginx'), { recursive: true });
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/nginx-${port}.pid; error_log stderr warn;
    events { worker_connections 1024; }
    http {
      access_log off; client_body_temp_path ${folder}/nginx; proxy_temp_path ${folder}/nginx;
      upstream millrace { ${ports.map((each) => `server 127.0.0.1:${each};`).join(' ')} keepalive 64; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://millrace; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`,
  );
  const child = spawn('nginx', ['-c', file], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Creates what the cases read; returns their paths. */
async function fill(url: string, folder: string): Promise<Record<string, readonly string[]>> {
  const api = async (path: string, body?: object) => {
    const response = await fetch(`${url}/api/v4${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Private-Token': rootToken, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly id: number };
  };
  const ids: number[] = [];
  for (let count = 0; count < projects; count += 1) {
    ids.push((await api('/projects', { path: `app-${count}`, description: 'To read' })).id);
  }
  const work = join(folder, 'work');
  await mkdir(work);
  await git(work, 'init', '-q', '-b', 'master');
  await writeFile(join(work, 'README.md'), '# App\n'.repeat(200));
  await git(work, 'add', '.');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  await git(work, ...author, 'commit', '-q', '-m', 'Begin');
  const remote = `${url.replace('://', `://root:${rootToken}@`)}/root/app-0.git`;
  await git(work, 'push', '-q', remote, 'master');
  const code = `/api/v4/projects/${ids[0]}/repository`;
  return {
    version: ['/api/v4/version'],
    project: ids.map((id) => `/api/v4/projects/${id}`),
    projects: [1, 2, 3].map((page) => `/api/v4/projects?per_page=5&page=${page}`),
    file: [`${code}/files/README.md/raw?ref=master`],
  };
}

/** A script for wrk that requests the paths in turn. */
const scriptFor = (paths: readonly string[]) => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at], { ["Private-Token"] = "${rootToken}" })
end
`;

const parts = ['server', 'database', 'proxy', 'generator'] as const;

interface Result {
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds of processor time for a request. */
  readonly costs: Readonly<Record<(typeof parts)[number], number>>;
}

async function measure(
  { url, pids }: Running,
  { script, seconds, databasePid }: { script: string; seconds: number; databasePid: number },
): Promise<Result> {
  const processes = { server: pids.server, proxy: pids.proxy, database: [databasePid] };
  const times = async () => ({
    server: await processorTime(processes.server),
    proxy: await processorTime(processes.proxy),
    database: await processorTime(processes.database),
  });
  const before = await times();
  const { requests, duration, generator } = await load(url, script, seconds);
  const after = await times();
  const cost = (part: keyof typeof before) => ((after[part] - before[part]) * 1000) / requests;
  return {
    rate: requests / duration,
    costs: {
      server: cost('server'),
      database: cost('database'),
      proxy: cost('proxy'),
      generator: (generator * 1000) / requests,
    },
  };
}

/** Runs wrk; throws if a request failed. Times in seconds. */
async function load(url: string, script: string, seconds: number) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const child = spawn('sh', ['-c', '"$@"; times >&2', 'sh', 'wrk', ...args]);
  let [output, times] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    times += chunk;
  });
  await once(child, 'close');
  const [, requests, duration] = /(\d+) requests in ([\d.]+)s/.exec(output) ?? [];
  const isClean = !/Non-2xx|Socket errors/.test(output);
  if (!requests || !isClean) throw new Error(`wrk ${url}: ${output}${times}`);
  const generator = [...(times.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest))
    .reduce((sum, time) => sum + time, 0);
  return { requests: Number(requests), duration: Number(duration), generator };
}

/** Seconds of processor time of processes and their children, with those that have ended. */
async function processorTime(roots: readonly number[]): Promise<number> {
  const stats = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  const table = stats.flatMap((text) => {
    const [pid] = text.split(' ', 1);
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = fields.slice(1, 2);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return text ? [{ pid: Number(pid), parent, ticks }] : [];
  });
  const wanted = new Set(roots);
  for (let size = 0; size < wanted.size; ) {
    size = wanted.size;
    for (const { pid, parent } of table) if (wanted.has(parent)) wanted.add(pid);
  }
  const own = table.filter(({ pid }) => wanted.has(pid));
  return own.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

const postmasterPid = async (cluster: string): Promise<number> =>
  Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);

/**
 * Prints the rates, their ratio to one process, and the processor time of a request. `cores` is all of it
 * times the rate: two processes can be faster than one by the machine's cores divided by that of one.
 */
function printCase(name: string, results: readonly (readonly Result[])[]): void {
  process.stdout.write(`\n${name}\n`);
  const rates = results.map((runs) => median(runs.map(({ rate }) => rate)));
  for (const [index, { name: setup, hasProxy }] of setups.entries()) {
    const runs = results[index] ?? [];
    const rate = rates[index] ?? Number.NaN;
    const spread = runs.map((run) => Math.round(run.rate));
    const costs = parts.map((part) => [part, median(runs.map((run) => run.costs[part]))] as const);
    const cores = (costs.reduce((sum, [, cost]) => sum + cost, 0) * rate) / 1000;
    const cells = [
      setup.padEnd(25),
      `${String(Math.round(rate)).padStart(5)} req/s (${Math.min(...spread)}–${Math.max(...spread)})`,
      `× ${(rate / (rates[hasProxy ? 2 : 0] ?? Number.NaN)).toFixed(2)}`,
      `${cores.toFixed(2)} cores`,
      `ms: ${costs.map(([part, cost]) => `${part} ${cost.toFixed(2)}`).join(', ')}`,
    ];
    process.stdout.write(`  ${cells.join('  ')}\n`);
  }
}
