import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsOf } from '../support/commands.ts';
import { commit, git, workTree } from '../support/git.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { receiver } from '../support/receiver.ts';
import { startAnother } from '../support/server-here.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, databaseUrl, dataFolder, remote } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'true' },
});
const { run } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });
const hook = await receiver();
const graphql = graphqlClientOf(url);

const ci = 'test:\n  script: make\n';

/** Makes each insertion into a table fail. */
async function breakTable(table: string): Promise<() => Promise<unknown>> {
  await db.$executeRawUnsafe(`CREATE OR REPLACE FUNCTION break_test() RETURNS trigger
    LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken on purpose'; END $$`);
  await db.$executeRawUnsafe(`CREATE TRIGGER broken BEFORE INSERT ON ${table}
    FOR EACH ROW EXECUTE FUNCTION break_test()`);
  return () => db.$executeRawUnsafe(`DROP TRIGGER broken ON ${table}`);
}

/** A project with a hook, and a work tree whose `master` and merge request `topic` are pushed. */
async function pushed(path: string) {
  const { id } = await seed.project(`acme/${path}`);
  const settings = { url: `${hook.url}/${path}`, push_events: true };
  expect((await as(ada).post(`/projects/${id}/hooks`, settings)).status).toBe(201);
  const folder = await workTree({ '.gitlab-ci.yml': ci });
  const push = async (branch: string) => {
    await git(folder, 'push', '--quiet', remote(`acme/${path}`, ada), branch);
    return git(folder, 'rev-parse', branch);
  };
  await push('master');
  await git(folder, 'checkout', '--quiet', '-b', 'topic');
  await commit(folder, { 'a.txt': 'a' }, 'First');
  await push('topic');
  const merge = { source_branch: 'topic', target_branch: 'master', title: 'Topic' };
  expect((await as(ada).post(`/projects/${id}/merge_requests`, merge)).status).toBe(201);
  await expect.poll(() => db.pipeline.count({ where: { projectId: id } })).toBe(2);
  const commitAndPush = async (file: string) => {
    await commit(folder, { [file]: file }, `Add ${file}`);
    return push('topic');
  };
  return { id, push: commitAndPush, folder };
}

const pipelineOf = (projectId: number, sha: string) => () =>
  db.pipeline.count({ where: { projectId, sha } });
const headOf = (projectId: number) => async () =>
  (await db.mergeRequest.findFirstOrThrow({ where: { projectId } })).sha;
const eventsOf = (projectId: number, sha: string) => () =>
  db.event.count({ where: { projectId, push: { path: ['commitTo'], equals: sha } } });
const deliveriesOf = (path: string, sha: string) => () =>
  hook.received.filter((request) => request.path === `/${path}` && request.body.after === sha)
    .length;
const deferred = (projectId: number) => async () =>
  (await db.pushStep.findMany({ where: { projectId } })).map(({ step }) => step).sort();

/** Lets the waiting jobs of a kind run their last attempt now. */
const useUpRetries = (kind: string) => db.$executeRaw`
  UPDATE pgboss.job SET start_after = now(), retry_count = retry_limit
  WHERE name = ${kind} AND state = 'retry'`;
const letters = `query { admin { deadLetters { nodes { id kind error project { fullPath } } } } }`;
const retry = 'mutation ($id: ID!) { retryDeadLetter(input: { id: $id }) { id } }';

const lettersOf = async () => {
  const { body } = await graphql(root, letters);
  const { admin } = body.data as unknown as {
    admin: { deadLetters: { nodes: { id: string; kind: string }[] } };
  };
  return admin.deadLetters.nodes;
};

describe('a step of a push that fails', () => {
  test('stops no other step and no later push, and succeeds once its cause is removed', async () => {
    const { id, push } = await pushed('events');
    const repair = await breakTable('events');
    const first = await push('b.txt');
    expect(await db.push.count()).toBe(0);
    await expect.poll(pipelineOf(id, first)).toBe(1);
    await expect.poll(headOf(id)).toBe(first);
    await expect.poll(deliveriesOf('events', first)).toBe(1);
    const second = await push('c.txt');
    expect(await db.push.count()).toBe(0);
    await expect.poll(pipelineOf(id, second)).toBe(1);
    await expect.poll(headOf(id)).toBe(second);
    await expect.poll(deferred(id)).toEqual(['events', 'events']);

    await expect
      .poll(async () => {
        await useUpRetries('settle-push-step');
        return (await lettersOf()).map(({ kind }) => kind);
      })
      .toEqual(['SETTLE_PUSH_STEP', 'SETTLE_PUSH_STEP']);
    const visitor = visitorAt(url);
    await visitor.signIn(root);
    const page = await visitor.get('/admin/jobs');
    expect(page.text).toContain('settle push step');
    expect(page.text).toContain('broken on purpose');
    const { code, stdout } = await run(['doctor', '--json']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /background jobs settle-push-step that failed permanently, 2: #\d+ in acme\/events/,
    );

    await repair();
    for (const letter of await lettersOf()) await graphql(root, retry, { id: letter.id });
    for (const sha of [first, second]) await expect.poll(eventsOf(id, sha)).toBe(1);
    expect(await deferred(id)()).toEqual([]);
    expect(await lettersOf()).toEqual([]);
    expect((await run(['doctor', '--json'])).code).toBe(0);
    // the other steps were not repeated
    expect(deliveriesOf('events', first)()).toBe(1);
    expect(await pipelineOf(id, first)()).toBe(1);
  }, 120_000);

  test.each([
    ['hook_deliveries', 'webhooks'],
    ['protected_branches', 'default-branch'],
  ])(
    'that writes %s leaves the pipeline, and is repeated alone',
    async (table, step) => {
      const path = step;
      const { id } = await seed.project(`acme/${path}`);
      await as(ada).post(`/projects/${id}/hooks`, {
        url: `${hook.url}/${path}`,
        push_events: true,
      });
      const folder = await workTree({ '.gitlab-ci.yml': ci });
      const repair = await breakTable(table);
      await git(folder, 'push', '--quiet', remote(`acme/${path}`, ada), 'master');
      const sha = await git(folder, 'rev-parse', 'master');
      expect(await db.push.count()).toBe(0);
      await expect.poll(pipelineOf(id, sha)).toBe(1);
      await expect.poll(eventsOf(id, sha)).toBe(1);
      await expect.poll(deferred(id)).toEqual([step]);
      await repair();
      await expect
        .poll(async () => {
          await db.$executeRaw`UPDATE pgboss.job SET start_after = now()
          WHERE name = 'settle-push-step' AND state = 'retry'`;
          return deferred(id)();
        })
        .toEqual([]);
      await expect.poll(deliveriesOf(path, sha)).toBe(1);
      expect(await db.protectedBranch.count({ where: { projectId: id, name: 'master' } })).toBe(1);
      expect(await eventsOf(id, sha)()).toBe(1);
    },
    60_000,
  );
});

test('a push that cannot be settled becomes a dead letter, and is settled by its retry', async () => {
  const { id } = await seed.project('acme/away');
  const sha = await seed.push('acme/away', { 'a.txt': 'a' });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const folder = join(dataFolder, 'repositories', `${diskPath}.git`);
  await rename(folder, `${folder}.away`);
  const ago = new Date(Date.now() - 120_000);
  const change = { ref: 'refs/heads/master', before: '0'.repeat(40), after: sha };
  const data = { projectId: id, userId: ada.id, changes: [change], settleAt: ago };
  const { id: ledger } = await db.push.create({ data });
  const server = await startAnother({ MILLRACE_DATA: dataFolder, DATABASE_URL: databaseUrl });
  const dead = async () => {
    await useUpRetries('settle-push');
    return (await lettersOf()).filter(({ kind }) => kind === 'SETTLE_PUSH');
  };
  await expect.poll(dead).toHaveLength(1);
  await rename(`${folder}.away`, folder);
  for (const letter of await dead()) await graphql(root, retry, { id: letter.id });
  await expect.poll(() => db.push.count({ where: { id: ledger } })).toBe(0);
  // as the push that brought it, and this one
  expect(await eventsOf(id, sha)()).toBe(2);
  await server.stop();
}, 60_000);

test('a row of the ledger with malformed changes is deleted', async () => {
  const { id } = await seed.project('acme/malformed');
  const ago = new Date(Date.now() - 700_000);
  for (const changes of [null, 'text', [null], [{ ref: 1 }], { ref: 'x' }, [{ options: [] }]]) {
    await db.$executeRaw`INSERT INTO pushes (project_id, user_id, changes, created_at, settle_at)
      VALUES (${id}, ${ada.id}, ${JSON.stringify(changes)}::jsonb, ${ago}, ${ago})`;
  }
  await expect.poll(() => db.push.count({ where: { projectId: id } }), { timeout: 60_000 }).toBe(0);
  expect(await db.push.count()).toBe(0);
}, 90_000);
