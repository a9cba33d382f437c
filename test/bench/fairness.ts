import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openSession } from '../../prisma/client.ts';
import { clientOf } from '../support/client.ts';
import { git } from '../support/git.ts';
import { sshKeyPair } from '../support/ssh.ts';
import { type HostileTarget, hostileLoads } from './hostile-loads.ts';
import { untilIdle } from './memory.ts';
import { cachedRepository, type RepositoryPlan } from './repository.ts';
import { rootToken, type Service, startService } from './service.ts';
import { asPusher } from './world.ts';

/** The bench of what hostile load costs other callers, which starts a service of its own. */
export const fairness = 'fairness';

/** How many times longer the slowest of a hundred requests of another caller may take. */
const goal = 3;

/** 40,000 small commits. */
const longHistory: RepositoryPlan = {
  seed: 'history',
  commits: 40_000,
  bytes: 200,
  paths: 2_000,
};

/** Milliseconds after which a measurement ends, even if it has fewer samples. */
const longest = 20_000;

/** Milliseconds after which a request counts as failed. */
const patience = 10_000;

/** The address of the callers who mean no harm. */
const otherAddress = '198.51.100.7';

interface World extends HostileTarget {
  readonly projectId: number;
  readonly token: string;
  readonly folder: string;
}

type Headers = Readonly<Record<string, string>>;

/** What another caller does meanwhile. */
interface Work {
  readonly name: string;
  /** How many times it is measured, as a part of the others. */
  readonly part: number;
  run(world: World, headers: Headers): Promise<void>;
}

const get =
  (path: (world: World) => string) =>
  async (world: World, headers: Headers): Promise<void> => {
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(`${world.service.url}${path(world)}`, { headers, signal });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path(world)} gave ${response.status}`);
  };

let listings = 0;

/** A filter that excludes no commit, and whose result the server has not kept. */
const unremembered = () => {
  listings += 1;
  return `until=${new Date(Date.UTC(2100, 0, 1) + listings).toISOString()}`;
};

const works: readonly Work[] = [
  { name: 'project', part: 1, run: get(({ projectId }) => `/api/v4/projects/${projectId}`) },
  { name: 'file page', part: 1, run: get(({ projectPath }) => `/${projectPath}/blob/master/a.ts`) },
  {
    name: 'commits',
    part: 1,
    run: get(
      ({ projectId }) => `/api/v4/projects/${projectId}/repository/commits?${unremembered()}`,
    ),
  },
  {
    name: 'clone',
    part: 0.2,
    run: async ({ service, projectPath, folder }, headers) => {
      const target = join(folder, 'clone.git');
      const options = Object.entries(headers).flatMap(([name, value]) => [
        '-c',
        `http.extraHeader=${name}: ${value}`,
      ]);
      const remote = `${service.url}/${projectPath}.git`;
      await git(folder, ...options, 'clone', '--quiet', '--bare', remote, target);
      await rm(target, { recursive: true });
    },
  },
];

/** The 99th percentile of the time in milliseconds, and how often it failed. */
async function measure(work: Work, world: World, headers: Headers, samples: number) {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + longest;
  for (let sample = 0; sample < Math.max(5, samples * work.part); sample += 1) {
    const start = performance.now();
    if (start > end) break;
    await work.run(world, headers).catch(() => {
      failures += 1;
    });
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN, failures };
}

/**
 * Prints how long another caller's requests take while hostile callers send theirs, signed in and
 * anonymous, and how long without.
 */
export async function measureFairness(options: {
  readonly samples: number;
  readonly flags: readonly string[];
}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // PostgreSQL runs under its own account
  await chmod(folder, 0o755);
  const service = await startService(folder, options.flags);
  try {
    const world = await fill(service, folder);
    const callers: readonly (readonly [string, Headers])[] = [
      ['signed in', { 'Private-Token': world.token, 'X-Forwarded-For': otherAddress }],
      ['anonymous', { 'X-Forwarded-For': otherAddress }],
    ];
    const usual = new Map<string, number>();
    const each = async (
      show: (cells: { name: string; work: string; p99: number; failures: number }) => void,
    ) => {
      for (const [name, headers] of callers)
        for (const work of works)
          show({
            name,
            work: work.name,
            ...(await measure(work, world, headers, options.samples)),
          });
    };
    // warms up
    await each(() => {});
    await untilIdle([service.pid]);
    await each(({ name, work, p99 }) => usual.set(`${name} ${work}`, p99));
    for (const load of hostileLoads) {
      await untilIdle([service.pid]);
      const running = await load.start(world);
      process.stdout.write(`${load.name}\n`);
      await each(({ name, work, p99, failures }) => {
        const without = usual.get(`${name} ${work}`) ?? Number.NaN;
        const ratio = p99 / without;
        const verdict = ratio <= goal && failures === 0 ? 'ok' : 'short';
        const failed = failures > 0 ? `, ${failures} failed` : '';
        process.stdout.write(
          `  ${`${name}, ${work}`.padEnd(24)}p99 ${without.toFixed(0)} ms without, ` +
            `${p99.toFixed(0)} ms with: ${ratio.toFixed(1)} times, goal ≤ ${goal} ${verdict}${failed}\n`,
        );
      });
      const counts = Object.entries(await running.stop()).map(([what, n]) => `${n} × ${what}`);
      process.stdout.write(`  the hostile callers got ${counts.join(', ') || 'no answer'}\n`);
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

async function fill(service: Service, folder: string): Promise<World> {
  const root = clientOf(service.url, rootToken);
  const made = async (path: string, input: object) => {
    const { status, body } = await root.post(path, { ...input });
    if (status !== 201) throw new Error(`${path} gave ${status}: ${JSON.stringify(body)}`);
    return body as { readonly id: number; readonly token: string };
  };
  const password = 'correct horse battery staple';
  const person = (username: string) =>
    made('/users', {
      username,
      name: username,
      email: `${username}@example.com`,
      password,
      skip_confirmation: true,
    });
  const { id: userId } = await person('ada');
  const { id: strangerId } = await person('eve');
  const key = await sshKeyPair(folder);
  await made(`/users/${strangerId}/keys`, { title: 'It', key: key.publicKey });
  const { token } = await made(`/users/${userId}/impersonation_tokens`, {
    name: 'It',
    scopes: ['api'],
  });
  // an account of long ago: it does not count with its address
  const session = await openSession(service.databaseUrl);
  await session.query(
    `UPDATE users SET created_at = now() - interval '1 year' WHERE id = ${userId}`,
  );
  await session.end();

  const { id: projectId } = await made('/projects', { path: 'app', visibility: 'public' });
  const file = async (name: string, content: string) =>
    made(`/projects/${projectId}/repository/files/${encodeURIComponent(name)}`, {
      branch: 'master',
      content,
      commit_message: `Add ${name}`,
    });
  await file('a.ts', 'export const sum = (a: number, b: number) => a + b;\n'.repeat(200));
  for (let n = 0; n < 30; n += 1) await file(`docs/${n}.md`, `# ${n}\n`);
  await file('.gitlab-ci.yml', 'unit: { script: make }\n');
  const pipeline = await made(`/projects/${projectId}/pipeline`, { ref: 'master' });

  const { id: longProjectId } = await made('/projects', { path: 'long', visibility: 'public' });
  const source = await cachedRepository(longHistory);
  const remote = `${service.url}/root/long.git`;
  await git(source, ...asPusher(rootToken), 'push', '--quiet', remote, 'master');
  return {
    service,
    folder,
    projectId,
    projectPath: 'root/app',
    longProjectId,
    pipelineId: pipeline.id,
    key,
    token,
  };
}
