import { expect, test } from 'vitest';
import { whileItWaits } from '../support/blocked-sessions.ts';
import { world } from '../support/world.ts';

const { as, seed, db } = await world();
const ada = await seed.user('ada');
const { id: app } = await seed.project('ada/app');
const first = await seed.push('ada/app', { 'a.txt': 'a' });
const list = `/projects/${app}/merge_requests`;

interface Opened {
  readonly id: number;
  readonly iid: number;
}

const createBranch = (branch: string, ref: string) =>
  as(ada).post(`/projects/${app}/repository/branches`, { branch, ref });

const open = async (source: string, target: string) => {
  const { status, body } = await as(ada).post(list, {
    source_branch: source,
    target_branch: target,
    title: source,
  });
  expect(status).toBe(201);
  return body as Opened;
};

const unfinishedJobs = () => db.$queryRaw<unknown[]>`
  SELECT name FROM pgboss.job WHERE name = 'follow-push' AND state < 'completed'`;

test('a merge request of no commits, opened before a push is followed up, stays open', async () => {
  await createBranch('stable', first);
  const held = await open('master', 'stable');
  await expect.poll(unfinishedJobs).toEqual([]);
  let later: Opened | undefined;
  const pushed = await whileItWaits(db, {
    lock: (tx) => tx.$queryRaw`SELECT id FROM merge_requests WHERE id = ${held.id} FOR UPDATE`,
    send: () =>
      as(ada).post(`/projects/${app}/repository/files/b.txt`, {
        branch: 'master',
        content: 'b',
        commit_message: 'Add b',
      }),
    change: async () => {
      await createBranch('topic', 'master');
      later = await open('topic', 'master');
    },
  });
  expect(pushed.status).toBe(201);
  await expect.poll(unfinishedJobs).toEqual([]);
  expect((await as(ada).get(`${list}/${later?.iid}`)).body).toMatchObject({ state: 'opened' });
});
