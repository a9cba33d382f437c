import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote } = await world();
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const roles = { master: ada, developer: dev, reporter: bob, guest: carl };
const { id: app } = await seed.project('acme/app', roles, { visibility: 'public' });
const { id: closed } = await seed.project('acme/closed', roles, { visibility: 'private' });

const folder = await workTree({ 'README.md': '# App\n' });
const first = await git(folder, 'rev-parse', 'HEAD');
const commits: string[] = [];
for (let n = 0; n < 12; n += 1) commits.push(await commit(folder, {}, `Number ${n}`));
await commit(folder, {}, 'The tip of master');
await git(folder, 'checkout', '--quiet', '-b', 'topic', first);
const aside = await commit(folder, { 'a.txt': 'a' }, 'Aside');
await git(folder, 'branch', 'another');
await git(folder, 'tag', 'v1', first);
await git(folder, 'checkout', '--quiet', '--detach');
const tagged = await commit(folder, { 'b.txt': 'b' }, 'On no branch');
await git(folder, 'tag', 'v2', tagged);
for (const path of ['acme/app', 'acme/closed']) {
  await git(folder, 'push', '--quiet', remote(path, root), '--all');
  await git(folder, 'push', '--quiet', remote(path, root), '--tags');
}
afterAll(() => rm(folder, { recursive: true }));

/** A commit without a status. */
const nextCommit = () => commits.pop() ?? '';
const set = (sha: string, project = app) => `/projects/${project}/statuses/${sha}`;
const listing = (sha: string, project = app) =>
  `/projects/${project}/repository/commits/${sha}/statuses`;

const number: unknown = expect.any(Number);
const status = (sha: string, state: string, overrides: object = {}) => ({
  id: number,
  sha,
  ref: 'master',
  status: state,
  name: 'default',
  target_url: null,
  description: null,
  created_at: instant,
  started_at: null,
  finished_at: null,
  allow_failure: false,
  coverage: null,
  author: basicUserShape(url, dev),
  ...overrides,
});

describe('POST /projects/:id/statuses/:sha', () => {
  test('a status is pending, running and finished', async () => {
    const sha = nextCommit();
    const identity = { name: 'lint', ref: 'topic' };
    const steps = [
      [{ state: 'pending', target_url: 'https://ci.example/1' }, {}],
      [{ state: 'running', description: 'Going on' }, { started_at: instant }],
      [
        { state: 'success', coverage: '87.5' },
        { started_at: instant, finished_at: instant },
      ],
    ] as const;
    let shown: object = identity;
    const ids = new Set<unknown>();
    for (const [{ state, ...input }, times] of steps) {
      shown = { ...shown, ...input, ...times };
      const response = await as(dev).post(set(sha), { ...identity, state, ...input });
      const coverage = state === 'success' ? { coverage: 87.5 } : {};
      expect(response).toEqual({
        status: 201,
        body: status(sha, state, { ...shown, ...coverage }),
      });
      ids.add((response.body as { id: number }).id);
    }
    expect(ids.size).toBe(1);
  });

  test('a finished status is replaced by a new one of the same name', async () => {
    const sha = nextCommit();
    const ended = await as(dev).post(set(sha), { state: 'failed' });
    expect(ended).toEqual({ status: 201, body: status(sha, 'failed', { finished_at: instant }) });
    const begun = await as(dev).post(set(sha), { state: 'pending' });
    expect(begun).toEqual({ status: 201, body: status(sha, 'pending') });
    expect((begun.body as { id: number }).id).not.toBe((ended.body as { id: number }).id);
  });

  test.each([
    ['running', 'pending', 'enqueue'],
    ['pending', 'pending', 'enqueue'],
    ['running', 'running', 'run'],
  ])('a %s status cannot become %s', async (from, to, event) => {
    const sha = 'master';
    const name = `${from}-${to}`;
    await as(dev).post(set(sha), { state: from, name });
    expect(await as(dev).post(set(sha), { state: to, context: name })).toEqual({
      status: 400,
      body: {
        message:
          `Cannot transition status via :${event} from :${from} ` +
          `(Reason(s): Status cannot transition via "${event}")`,
      },
    });
  });

  test('context is an alternative to name; another name or ref is another status', async () => {
    const sha = nextCommit();
    const inputs = [
      { state: 'pending' },
      { state: 'pending', context: 'lint' },
      { state: 'pending', name: 'build', context: 'lint' },
      { state: 'pending', ref: 'v1' },
    ];
    const shown = [];
    for (const params of inputs) shown.push((await as(dev).post(set(sha), params)).body);
    expect(shown).toEqual([
      status(sha, 'pending'),
      status(sha, 'pending', { name: 'lint' }),
      status(sha, 'pending', { name: 'build' }),
      status(sha, 'pending', { ref: 'v1' }),
    ]);
  });

  test('without a ref, a branch that contains the commit is used', async () => {
    expect((await as(dev).post(set('topic'), { state: 'success' })).body).toEqual(
      status(aside, 'success', { ref: 'another', finished_at: instant }),
    );
    expect((await as(dev).post(set('v1'), { state: 'success' })).body).toEqual(
      status(first, 'success', { finished_at: instant }),
    );
    expect(await as(dev).post(set('v2'), { state: 'success' })).toEqual(
      refused.missing('References for commit'),
    );
    expect((await as(dev).post(set('v2'), { state: 'success', ref: 'v2' })).body).toEqual(
      status(tagged, 'success', { ref: 'v2', finished_at: instant }),
    );
  });

  test('one of several concurrent requests creates the status', async () => {
    const sha = nextCommit();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => as(dev).post(set(sha), { state: 'pending' })),
    );
    expect(responses.map((response) => response.status).toSorted()).toEqual([
      201, 400, 400, 400, 400,
    ]);
    expect((await as(dev).get(`${listing(sha)}?all=true`)).body).toEqual([status(sha, 'pending')]);
  });

  test('requires a developer', async () => {
    const input = { state: 'success' };
    expect(await as(null).post(set(first), input)).toEqual(refused.anonymous);
    for (const person of [eve, carl, bob]) {
      expect(await as(person).post(set(first), input)).toEqual(refused.forbidden);
    }
    expect(await as(eve).post(set(first, closed), input)).toEqual(refused.missing('Project'));
    expect(await as(carl).post(set(first, closed), input)).toEqual(refused.forbidden);
    for (const person of [ada, root]) {
      const { status: code } = await as(person).post(set(first, closed), input);
      expect(code).toBe(201);
    }
  });

  test('an unknown commit gives 404', async () => {
    for (const name of ['nothing', '0'.repeat(40)]) {
      expect(await as(dev).post(set(name), { state: 'success' })).toEqual(
        refused.missing('Commit'),
      );
    }
  });

  test.each([
    [{}, 'state is missing'],
    [{ state: 'done' }, 'state does not have a valid value'],
    [{ state: 'success', coverage: 'much' }, 'coverage is invalid'],
    [{ state: 'success', coverage: '1e3' }, 'coverage is invalid'],
    [{ state: 'success', name: ['a'] }, 'name is invalid'],
  ])('%j is rejected', async (params, text) => {
    expect(await as(dev).post(set(first), params)).toEqual(refused.parameter(text));
  });

  const long = 'is too long (maximum is 255 characters)';
  const address = ['must be a valid URL'];
  test.each([
    [{ target_url: 'javascript:alert(1)' }, { target_url: address }],
    [{ target_url: 'ftp://ci.example' }, { target_url: address }],
    [{ target_url: 'https://' }, { target_url: address }],
    [{ target_url: 'http://a b' }, { target_url: address }],
    [{ target_url: `http://${'a'.repeat(255)}` }, { target_url: [long] }],
    [{ name: 'a'.repeat(256) }, { name: [long] }],
    [{ ref: 'a'.repeat(256) }, { ref: [long] }],
    [{ coverage: 101 }, { coverage: ['must be between 0 and 100'] }],
    [{ coverage: -1 }, { coverage: ['must be between 0 and 100'] }],
    [
      { description: 'a'.repeat(4097) },
      { description: ['is too long (maximum is 4096 characters)'] },
    ],
  ])('%j is rejected by field', async (params, faults) => {
    expect(await as(dev).post(set(first), { state: 'success', ...params })).toEqual(
      refused.invalid(faults),
    );
  });
});

describe('GET /projects/:id/repository/commits/:sha/statuses', async () => {
  const sha = nextCommit();
  for (const [name, state, ref] of [
    ['lint', 'failed', 'master'],
    ['test', 'success', 'master'],
    ['lint', 'success', 'master'],
    ['lint', 'success', 'topic'],
  ]) {
    await as(dev).post(set(sha), { name, state, ref });
  }
  const ended = { finished_at: instant };
  const lint = status(sha, 'success', { name: 'lint', ...ended });
  const before = { ...lint, status: 'failed' };
  const passed = status(sha, 'success', { name: 'test', ...ended });
  const other = { ...lint, ref: 'topic' };

  test.each([
    ['', [passed, lint, other]],
    ['?all=true', [before, passed, lint, other]],
    ['?name=lint', [lint, other]],
    ['?ref=topic', [other]],
    ['?name=lint&ref=master&all=true', [before, lint]],
    ['?stage=external', [passed, lint, other]],
    ['?stage=build', []],
    ['?per_page=1&page=2', [lint]],
  ])('%s', async (query, body) => {
    expect(await as(eve).get(`${listing(sha)}${query}`)).toEqual({ status: 200, body });
  });

  test('headers show the number of statuses', async () => {
    const { headers } = await as(eve).fetch(listing(sha));
    expect(headers.get('X-Total')).toBe('3');
  });

  test('requires access to the code of the project', async () => {
    expect(await as(null).get(listing(sha))).toEqual(refused.anonymous);
    expect(await as(eve).get(listing(sha, closed))).toEqual(refused.missing('Project'));
    expect(await as(carl).get(listing(sha, closed))).toEqual(refused.forbidden);
    expect(await as(bob).get(listing(sha, closed))).toEqual({ status: 200, body: [] });
    expect(await as(bob).get(listing('nothing'))).toEqual(refused.missing('Commit'));
  });
});

describe('GET …/statuses of a commit with a pipeline', async () => {
  const { id: built } = await seed.project('acme/built', roles, { visibility: 'public' });
  const file = ['unit', 'lint'].map((name) => `${name}: { script: make, stage: test }`).join('\n');
  await seed.push('acme/built', { '.gitlab-ci.yml': file });
  const list = (query = '', user = bob) =>
    as(user).get(`/projects/${built}/repository/commits/master/statuses${query}`);
  const names = async (query?: string, user?: typeof bob) => {
    const { status: code, body } = await list(query, user);
    expect(code).toBe(200);
    return (body as readonly { readonly name: string }[]).map(({ name }) => name);
  };
  const setExternal = async () => {
    const { body } = await as(dev).get(`/projects/${built}/repository/commits/master`);
    const { id: sha } = body as { readonly id: string };
    await as(dev).post(set(sha, built), { state: 'success', name: 'outside' });
  };

  test('lists its jobs after the external statuses', async () => {
    await expect.poll(() => names()).toEqual(['unit', 'lint']);
    await setExternal();
    expect(await names()).toEqual(['outside', 'unit', 'lint']);
    const { body } = await list('?name=unit');
    expect(body).toEqual([
      status((body as [{ sha: string }])[0].sha, 'pending', {
        name: 'unit',
        author: basicUserShape(url, root),
      }),
    ]);
  });

  test('filters and pages both kinds together', async () => {
    expect(await names('?stage=external')).toEqual(['outside']);
    expect(await names('?stage=test')).toEqual(['unit', 'lint']);
    expect(await names('?ref=elsewhere')).toEqual([]);
    expect(await names('?per_page=2&page=2')).toEqual(['lint']);
    const response = await as(bob).fetch(
      `/projects/${built}/repository/commits/master/statuses?per_page=2`,
    );
    expect(response.headers.get('X-Total')).toBe('3');
  });

  test('hides jobs from users who may not see pipelines', async () => {
    await as(ada).put(`/projects/${built}`, { public_builds: false });
    expect(await names('', eve)).toEqual(['outside']);
    expect(await names('', bob)).toEqual(['outside', 'unit', 'lint']);
  });
});

describe('GET /projects/:id/repository/commits/:sha', () => {
  test.each([
    [['pending', 'pending'], 'pending'],
    [['success', 'pending'], 'running'],
    [['success', 'running'], 'running'],
    [['success', 'failed'], 'failed'],
    [['success', 'canceled'], 'canceled'],
    [['success', 'success'], 'success'],
  ])('%j result in %s', async (states, expected) => {
    const sha = nextCommit();
    for (const [n, state] of states.entries()) {
      await as(dev).post(set(sha), { state, name: String(n) });
    }
    expect((await as(null).get(`/projects/${app}/repository/commits/${sha}`)).body).toMatchObject({
      id: sha,
      status: expected,
      last_pipeline: { id: number, sha, ref: 'master', status: expected },
    });
  });
});
