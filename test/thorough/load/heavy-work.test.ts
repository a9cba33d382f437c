import { readdir, readFile, rm } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../../support/git.ts';
import { type HeldGit, holdGit } from '../../support/held-git.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const waitMs = 10_000;
const streams = { total: 4, perAddress: 2, waiting: 10, waitingPerAddress: 5, waitMs };
const { seed, url, db, dataFolder, remote, root } = await world({
  limits: { heavyWork: { waitMs }, http: { streams } },
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
});

const [attacker, elsewhere, office] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
const many = 10;
const numbers = Array.from({ length: many + 3 }, (_, n) => n);

/** A repository with a commit and a file for each number. */
const folder = await workTree({ 'README.md': '# App\n' });
const commits: string[] = [];
for (const n of numbers) {
  commits.push(
    await commit(folder, { [`${n}.txt`]: `text ${n}\n`, 'all.txt': `${n}\n` }, `Add ${n}`),
  );
}

interface TestProject {
  readonly id: number;
  readonly path: string;
  readonly bare: string;
}

async function createProject(name: string): Promise<TestProject> {
  const path = `root/${name}`;
  const { id } = await seed.project(path, {}, { visibility: 'public' });
  await git(folder, 'push', '--quiet', remote(path, root), 'master');
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return { id, path, bare: join(dataFolder, 'repositories', `${diskPath}.git`) };
}

const busy = await createProject('busy');
const free = await createProject('free');
const others: TestProject[] = [];
for (const n of numbers.slice(0, 4)) others.push(await createProject(`other-${n}`));
await rm(folder, { recursive: true });

/** An account that is not counted with its address. */
async function establishedUser(username: string): Promise<TestUser> {
  const user = await seed.user(username);
  await db.user.update({ where: { id: user.id }, data: { createdAt: new Date('2020-01-01') } });
  return user;
}
const ada = await establishedUser('ada');
const bob = await establishedUser('bob');

interface From {
  readonly user?: TestUser | undefined;
  readonly address?: string | undefined;
}

async function get(path: string, { user, address = office }: From) {
  const response = await fetch(`${url}${path}`, {
    headers: { 'X-Forwarded-For': address ?? '', ...(user && { 'Private-Token': user.token }) },
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get('Retry-After') };
}

const served = { status: 200, retryAfter: null };
const refused = { status: 503, retryAfter: '10' };

/** The heavy work of a class that runs and waits now. */
async function workNow(kind: string, group = 'anonymous') {
  const text = await (await fetch(`${url}/-/metrics`)).text();
  const count = (state: string) => {
    const labels = [`kind="${kind}"`, `class="${group}"`, `state="${state}"`];
    const line = text
      .split('\n')
      .find(
        (each) => /^millrace_work\{/.test(each) && labels.every((label) => each.includes(label)),
      );
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  return { running: count('running'), waiting: count('waiting') };
}

const allWait = (kind: string, group = 'anonymous', total = many) =>
  expect
    .poll(async () => {
      const { running, waiting } = await workNow(kind, group);
      // a list is read and counted
      return running > 0 && waiting > 0 && running + waiting >= total;
    })
    .toBe(true);

const api = ({ id }: TestProject, path: string) => `/api/v4/projects/${id}${path}`;

/** Starts the process that reads objects, which is not held then. */
const warm = (project: TestProject) =>
  get(api(project, '/repository/commits/master'), { user: bob });

async function hold(projects: readonly TestProject[]): Promise<HeldGit> {
  const held: HeldGit[] = [];
  for (const project of projects) {
    await warm(project);
    held.push(await holdGit(project.bare));
  }
  return {
    letOthersPass: async () => {
      for (const each of held) await each.letOthersPass();
    },
    release: async () => {
      for (const each of held) await each.release();
    },
  };
}

/** Kinds of work on one repository, by a request that needs other work for each number. */
const kinds: readonly (readonly [kind: string, path: (n: number) => string])[] = [
  ['log', (n) => `/repository/commits?path=none-${n}`],
  ['blame', (n) => `/repository/files/${n}.txt/blame?ref=master`],
  ['diff', (n) => `/repository/commits/${commits[n]}/diff`],
  ['compare', (n) => `/repository/compare?from=${commits[n]}&to=master`],
  ['line-counts', (n) => `/repository/commits/${commits[n]}`],
  ['containing-refs', (n) => `/repository/commits/${commits[n]}/refs`],
  ['last-commit', (n) => `/repository/files/${n}.txt?ref=master`],
  ['merge-bases', (n) => `/repository/merge_base?refs[]=${commits[n]}&refs[]=master`],
];

/** Kinds that only users can request. */
const usersKinds: typeof kinds = [
  ['log-search', (n) => `/search?scope=commits&search=none-${n}`],
  ['content-search', (n) => `/search?scope=blobs&search=none-${n}`],
];

describe.each(kinds)('%s', (kind, path) => {
  test('of an anonymous caller delays no other caller, and is served afterwards', async () => {
    const held = await hold([busy]);
    const attack = numbers
      .slice(0, many)
      .map((n) => get(api(busy, path(n)), { address: attacker }));
    await allWait(kind);
    await held.letOthersPass();
    expect(await get(api(busy, path(many)), { user: ada, address: attacker })).toEqual(served);
    expect(await get(api(free, path(0)), { user: ada, address: attacker })).toEqual(served);
    expect(await get(api(busy, path(many + 1)), { address: elsewhere })).toEqual(served);
    await held.release();
    expect(await Promise.all(attack)).toEqual(attack.map(() => served));
  });
});

test.each([...kinds, ...usersKinds])('%s of a user delays no other user', async (kind, path) => {
  const held = await hold([free]);
  // the first is known
  const attack = numbers.slice(1, 1 + many).map((n) => get(api(free, path(n)), { user: ada }));
  await allWait(kind, 'signed in');
  await held.letOthersPass();
  expect(await get(api(free, path(many + 1)), { user: bob })).toEqual(served);
  await held.release();
  expect(await Promise.all(attack)).toEqual(attack.map(() => served));
});

/** Kinds whose work is the same for all requests of a project. */
const projectKinds: readonly (readonly [kind: string, path: string])[] = [
  ['contributors', '/repository/contributors'],
  ['languages', '/languages'],
];

test.each(projectKinds)('%s of some projects delay no other project', async (kind, path) => {
  const held = await hold(others);
  const attack = others.map((project) => get(api(project, path), { address: attacker }));
  await allWait(kind, 'anonymous', others.length);
  expect(await get(api(free, path), { user: ada })).toEqual(served);
  expect(await get(api(busy, path), { address: elsewhere })).toEqual(served);
  await held.release();
  expect(await Promise.all(attack)).toEqual(attack.map(() => served));
});

const blameOf = (project: TestProject, n: number) =>
  api(project, `/repository/files/${n}.txt/blame?ref=master`);

const logOf = (project: TestProject, name: string) =>
  api(project, `/repository/commits?path=${name}`);

describe('a caller', () => {
  test('over its share gets 503 with Retry-After when it has waited long enough', async () => {
    const held = await hold([busy]);
    const attack = numbers.slice(0, many).map((n) => get(blameOf(busy, n), { address: attacker }));
    await allWait('blame');
    const { waiting } = await workNow('blame');
    await expect
      .poll(() => workNow('blame').then((now) => now.waiting), { timeout: 30_000 })
      .toBe(0);
    await held.release();
    const answers = await Promise.all(attack);
    expect(answers.filter(({ status }) => status === 503)).toEqual(Array(waiting).fill(refused));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(many - waiting);
  });

  test('that waits for the same work as an anonymous one does not wait for its turn', async () => {
    const held = await hold([busy]);
    const attack = numbers
      .slice(0, many)
      .map((n) => get(logOf(busy, `joined-${n}`), { address: attacker }));
    await allWait('log');
    await held.letOthersPass();
    // the last one waits
    const last = logOf(busy, `joined-${many - 1}`);
    expect(await get(last, { user: ada })).toEqual(served);
    expect(await attack.at(-1)).toEqual(served);
    await held.release();
    await Promise.all(attack);
  });

  test('who disconnects leaves the queue', async () => {
    const held = await hold([busy]);
    const controller = new AbortController();
    const attack = numbers.slice(0, many).map((n) =>
      fetch(`${url}${logOf(busy, `left-${n}`)}`, {
        headers: { 'X-Forwarded-For': attacker ?? '' },
        signal: controller.signal,
      }).catch((error: Error) => error.name),
    );
    await allWait('log');
    controller.abort();
    await Promise.all(attack);
    await expect.poll(() => workNow('log').then((now) => now.waiting)).toBe(0);
    await held.release();
  });
});

test('accounts that are younger than a day share one share with their address', async () => {
  const fresh = await Promise.all(['new1', 'new2', 'new3'].map((name) => seed.user(name)));
  const [first, second, third] = fresh;
  const held = await hold([busy]);
  const attack = numbers.slice(0, many).map((n) => get(blameOf(busy, n), { user: first }));
  await allWait('blame', 'new account');
  const before = await workNow('blame', 'new account');
  await held.letOthersPass();
  const same = get(blameOf(free, 0), { user: second });
  await expect
    .poll(() => workNow('blame', 'new account'))
    .toEqual({ ...before, waiting: before.waiting + 1 });
  expect(await get(blameOf(free, 1), { user: bob })).toEqual(served);
  expect(await get(blameOf(free, 2), { user: third, address: elsewhere })).toEqual(served);
  await held.release();
  expect(await Promise.all([same, ...attack])).toEqual([same, ...attack].map(() => served));
});

test('archives of anonymous callers delay none of a signed-in user', async () => {
  const held = await hold([busy]);
  const archive = (n: number) => api(busy, `/repository/archive.tar?sha=${commits[n]}`);
  const addresses = [attacker, attacker, attacker, elsewhere, elsewhere];
  const attack = addresses.map((address, n) => get(archive(n), { address: address ?? '' }));
  await allWait('streams', 'anonymous', addresses.length);
  await held.letOthersPass();
  expect(await get(archive(5), { user: ada })).toEqual(served);
  expect(await get(archive(6), { user: bob })).toEqual(served);
  await held.release();
  expect(await Promise.all(attack)).toEqual(attack.map(() => served));
});

const lowest = constants.priority.PRIORITY_LOW;

/** The niceness of git processes in a repository. */
async function nicenessIn({ bare }: TestProject): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.startsWith('git') && line.includes(bare) && line.includes('rev-list')) {
      found.push(getPriority(Number(pid)));
    }
  }
  return found;
}

test.each([
  ['an anonymous caller', {}, 15],
  ['a user', { user: ada }, 10],
])('git processes of %s that take more than a second give way', async (_who, from, niceness) => {
  const held = await hold([busy]);
  const answer = get(logOf(busy, `nice-${niceness}`), from);
  await expect
    .poll(() => nicenessIn(busy).then((all) => [...new Set(all)]))
    .toEqual([Math.min(lowest, getPriority() + niceness)]);
  await held.release();
  expect(await answer).toEqual(served);
});
