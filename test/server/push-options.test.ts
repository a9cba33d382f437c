import { describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { commit, git, temporaryFolder } from '../support/git.ts';
import { pushing, pushProtocols } from '../support/pushing.ts';
import type { TestUser } from '../support/seed.ts';
import { gitWith, sshKeyPair } from '../support/ssh.ts';
import { world } from '../support/world.ts';

const sshPort = await freePort();
const here = await world({ variables: { MILLRACE_SSH_PORT: String(sshPort) } });
const { as, db, seed, root, url, remote } = here;
const [mia, dev, rob] = await Promise.all(['mia', 'dev', 'rob'].map((name) => seed.user(name)));
if (!mia || !dev || !rob) throw new Error('no users');
await seed.group('acme');
const app = await seed.project('acme/app', { master: mia, developer: dev, reporter: rob });
const { folder, commitTo, push } = await pushing(here, sshPort);
const path = 'acme/app';
const project = `/projects/${app.id}`;
await push({ user: root, path, branches: ['master'] });

const mergeRequests = async (branch: string) =>
  (await as(mia).get(`${project}/merge_requests?source_branch=${branch}`)).body as {
    readonly iid: number;
    readonly title: string;
  }[];

/** Pushes a new commit of a branch with options; gives what git prints. */
async function pushed(user: TestUser, branch: string, ...options: readonly string[]) {
  await commitTo(branch);
  const { code, lines } = await push({ user, path, branches: [branch] }, ...options);
  expect(code).toBe(0);
  return lines;
}

describe.each(pushProtocols)('merge_request options over %s', (protocol) => {
  const branch = `search-${protocol}`;

  test('create a merge request, whose address is shown', async () => {
    await commitTo(branch, 'Search issues\n\nBy their titles.');
    const { code, lines } = await push(
      { user: dev, path, branches: [branch], protocol },
      'merge_request.create',
      'merge_request.description=First\\nsecond',
      'merge_request.label=bug',
      'merge_request.label=new one',
      'merge_request.remove_source_branch',
      'merge_request.draft',
      'merge_request.assign=@mia',
    );
    expect(code).toBe(0);
    const [mergeRequest, ...others] = await mergeRequests(branch);
    expect(others).toEqual([]);
    expect(mergeRequest).toMatchObject({
      title: 'WIP: Search issues',
      description: 'First\nsecond',
      target_branch: 'master',
      labels: ['bug', 'new one'],
      force_remove_source_branch: true,
      work_in_progress: true,
      author: { username: 'dev' },
      assignee: { username: 'mia' },
    });
    const address = `${url}/acme/app/merge_requests/${mergeRequest?.iid}`;
    expect(lines).toEqual(['', `View merge request for ${branch}:`, `  ${address}`, '']);
  });

  test('change the open one, and create no second one', async () => {
    await commitTo('stable');
    await push({ user: mia, path, branches: ['stable'] });
    await commitTo(branch);
    const { code } = await push(
      { user: dev, path, branches: [branch], protocol },
      'merge_request.create',
      'merge_request.title=Search = find',
      'merge_request.target=stable',
      'merge_request.unlabel=bug',
      'merge_request.label=other',
      'merge_request.unassign=mia',
    );
    expect(code).toBe(0);
    expect(await mergeRequests(branch)).toEqual([
      expect.objectContaining({
        title: 'Search = find',
        description: 'First\nsecond',
        target_branch: 'stable',
        labels: ['new one', 'other'],
        assignee: null,
      }),
    ]);
  });
});

describe('merge_request options', () => {
  test('without create make no merge request', async () => {
    const lines = await pushed(dev, 'lone', 'merge_request.title=Lone');
    expect(lines[0]).toBe(
      'The merge request for lone was not saved: there is none; the option merge_request.create creates it.',
    );
    expect(await mergeRequests('lone')).toEqual([]);
  });

  test.each([
    ['a missing target', 'merge_request.target=missing', 'Target branch "missing" does not exist'],
    ['the branch as its target', 'merge_request.target=wrong', 'You can not use same'],
    ['a long title', `merge_request.title=${'x'.repeat(256)}`, 'title is too long'],
  ])('with %s fail, the push does not', async (_title, option, text) => {
    const lines = await pushed(dev, 'wrong', 'merge_request.create', option);
    expect(lines[0]).toContain(`The merge request for wrong was not saved: ${text}`);
    expect(lines).toContain('To create a merge request for wrong, visit:');
    expect(await mergeRequests('wrong')).toEqual([]);
  });

  test('apply to each branch of the push', async () => {
    for (const name of ['one', 'two']) await commitTo(name);
    await push({ user: dev, path, branches: ['one', 'two'] }, 'merge_request.create');
    expect([await mergeRequests('one'), await mergeRequests('two')]).toMatchObject([
      [{ title: 'Change one' }],
      [{ title: 'Change two' }],
    ]);
  });

  test('merge when the next pipeline succeeds, for users who may merge', async () => {
    const options = ['merge_request.create', 'merge_request.merge_when_pipeline_succeeds'];
    const lines = await pushed(dev, 'by-dev', ...options);
    expect(lines[0]).toBe('The merge request for by-dev was not saved: Unauthorized');
    expect(await mergeRequests('by-dev')).toMatchObject([{ merge_when_pipeline_succeeds: false }]);
    await pushed(mia, 'by-mia', ...options);
    expect(await mergeRequests('by-mia')).toMatchObject([
      { state: 'opened', merge_when_pipeline_succeeds: true },
    ]);
    const sha = await git(folder, 'rev-parse', 'by-mia');
    const status = { state: 'success', ref: 'by-mia' };
    expect((await as(mia).post(`${project}/statuses/${sha}`, status)).status).toBe(201);
    await expect.poll(() => mergeRequests('by-mia')).toMatchObject([{ state: 'merged' }]);
  });

  test('merge only the head of their push', async () => {
    const options = ['merge_request.create', 'merge_request.merge_when_pipeline_succeeds'];
    await pushed(mia, 'moving', ...options);
    await git(folder, 'checkout', '--quiet', 'moving');
    const sha = await commit(folder, { 'moving.txt': 'more' }, 'More');
    await push({ user: mia, path, branches: ['moving'] });
    await expect
      .poll(() => mergeRequests('moving'))
      .toMatchObject([{ sha, merge_when_pipeline_succeeds: false }]);
    await as(mia).post(`${project}/statuses/${sha}`, { state: 'success', ref: 'moving' });
    await pushed(mia, 'witness', ...options);
    const witness = await git(folder, 'rev-parse', 'witness');
    await as(mia).post(`${project}/statuses/${witness}`, { state: 'success', ref: 'witness' });
    await expect.poll(() => mergeRequests('witness')).toMatchObject([{ state: 'merged' }]);
    expect(await mergeRequests('moving')).toMatchObject([{ state: 'opened' }]);
  });

  test('do nothing for a deploy key', async () => {
    const pair = await sshKeyPair(await temporaryFolder());
    const key = { title: 'deploy', key: pair.publicKey, can_push: true };
    expect((await as(mia).post(`${project}/deploy_keys`, key)).status).toBe(201);
    await commitTo('by-key');
    const address = `ssh://git@localhost:${sshPort}/${path}.git`;
    const options = ['-o', 'merge_request.create'];
    const { code, stderr } = await gitWith(pair, folder, 'push', ...options, address, 'by-key');
    expect(code).toBe(0);
    expect(stderr).toContain('remote: A deploy key cannot change merge requests.');
    expect(await mergeRequests('by-key')).toEqual([]);
  });

  test('do nothing for a user who may not push', async () => {
    await commitTo('by-rob');
    const { code } = await push({ user: rob, path, branches: ['by-rob'] }, 'merge_request.create');
    expect(code).not.toBe(0);
    expect(await mergeRequests('by-rob')).toEqual([]);
  });
});

describe('ci options', () => {
  const pipelines = async (ref: string) =>
    (await as(mia).get(`${project}/pipelines?ref=${ref}`)).body as { readonly id: number }[];

  const ciFile = { '.gitlab-ci.yml': 'test: { script: [ls] }\n' };

  test('skip the pipeline', async () => {
    await commitTo('skipped', 'CI', ciFile);
    await push({ user: dev, path, branches: ['skipped'] }, 'ci.skip');
    await push({ user: dev, path, branches: ['skipped:run'] });
    await expect.poll(() => pipelines('run')).toHaveLength(1);
    expect(await pipelines('skipped')).toEqual([]);
    expect(await db.push.count()).toBe(0);
  });

  test('give variables to the pipeline, and ignore invalid ones', async () => {
    await commitTo('varied', 'CI', ciFile);
    const { code, lines } = await push(
      { user: dev, path, branches: ['varied'] },
      'ci.variable=MODE=a=b',
      'ci.variable=EMPTY=',
      'ci.variable=not-a-key=1',
      'ci.variable=LONE',
    );
    expect(code).toBe(0);
    expect(lines.slice(0, 2)).toEqual([
      "A variable of the pipeline is ignored: not-a-key can contain only letters, digits and '_'.",
      'A variable of the pipeline is ignored: has no value: write ci.variable="KEY=value"',
    ]);
    await expect.poll(() => pipelines('varied')).toHaveLength(1);
    const [pipeline] = await pipelines('varied');
    const { body } = await as(dev).get(`${project}/pipelines/${pipeline?.id}/variables`);
    expect(body).toMatchObject([
      { key: 'MODE', value: 'a=b' },
      { key: 'EMPTY', value: '' },
    ]);
  });
});

describe('other options', () => {
  test('do nothing', async () => {
    const lines = await pushed(dev, 'unknown', 'x', 'merge_request.unknown=1', '$(id)', '`id`;\\');
    expect(lines[0]).toContain('The merge request for unknown was not saved: there is none');
  });

  test('are bounded', async () => {
    await commitTo('bounded');
    const many = Array.from({ length: 101 }, (_, index) => `x-${index}`);
    const long = Array.from({ length: 3 }, () => 'x'.repeat(30_000));
    for (const [options, text] of [
      [many, 'A push has at most 100 options.'],
      [long, 'The options of a push have at most 65536 characters.'],
    ] as const) {
      const pushed = await push({ user: dev, path, branches: ['bounded'] }, ...options);
      expect(pushed.code).toBe(1);
      expect(pushed.lines).toContain(text);
    }
  });

  test('with lines that pass for changes do not change what the rules see', async () => {
    const master = await git(folder, 'rev-parse', 'master');
    await push({ user: mia, path, branches: ['master:guarded'] });
    const rule = { name: 'guarded', push_access_level: 40, merge_access_level: 40 };
    expect((await as(mia).post(`${project}/protected_branches`, rule)).status).toBe(201);
    const none = '0'.repeat(40);
    const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
    const command = `${master} ${none} refs/heads/guarded\0report-status push-options`;
    const option = `x\n${none} ${master} refs/heads/harmless\nend\n`;
    const address = new URL(`${remote(path, null)}/git-receive-pack`);
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`dev:${dev.token}`).toString('base64')}`,
        'Content-Type': 'application/x-git-receive-pack-request',
      },
      body: `${packet(command)}0000${packet(option)}0000`,
    });
    expect(await response.text()).toContain('ng refs/heads/guarded pre-receive hook declined');
    expect((await as(mia).get(`${project}/repository/branches/guarded`)).status).toBe(200);
  });
});

test('options of a wiki push do nothing', async () => {
  await as(mia).post(`${project}/wikis`, { title: 'Home', content: 'Welcome' });
  const wiki = { user: dev, path: 'acme/app.wiki', branches: ['master:page'] };
  const { code, lines } = await push(wiki, 'merge_request.create', 'ci.skip');
  expect([code, lines]).toEqual([0, []]);
});
