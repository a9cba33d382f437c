import { describe, expect, test } from 'vitest';
import { pushBranches, type TestMergeRequest } from '../support/merge-requests.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world();
const ada = await seed.user('ada');
const { id: project } = await seed.project('ada/app', {}, { visibility: 'public' });
const commits = await pushBranches(remote('ada/app', root), ['one']);
// no server listens there: the test reads the stored deliveries
await db.webHook.create({
  data: { projectId: project, url: 'http://192.0.2.1/', onMergeRequest: true },
});

const payloads = async () => {
  const deliveries = await db.hookDelivery.findMany({ orderBy: { id: 'asc' } });
  return deliveries.map(({ event, payload }) => ({ event, payload }));
};

describe('a hook on merge requests', () => {
  test('gets payloads when a merge request is created, updated, closed and reopened', async () => {
    const path = `/projects/${project}/merge_requests`;
    const created = await as(ada).post(path, {
      title: 'It',
      description: 'Why',
      source_branch: 'one',
      target_branch: 'master',
      labels: 'bug',
      assignee_id: ada.id,
    });
    const { id, iid } = created.body as TestMergeRequest;
    await as(ada).put(`${path}/${iid}`, { title: 'WIP: It' });
    await as(ada).put(`${path}/${iid}`, { title: 'WIP: It' });
    await as(ada).put(`${path}/${iid}`, { state_event: 'close' });
    await as(ada).put(`${path}/${iid}`, { state_event: 'reopen' });
    const messages = await payloads();
    expect(messages[0]).toEqual({
      event: 'Merge Request Hook',
      payload: {
        object_kind: 'merge_request',
        user: { name: 'Ada', username: 'ada', avatar_url: expect.any(String) },
        project: expect.objectContaining({ id: project, path_with_namespace: 'ada/app' }),
        object_attributes: {
          id,
          iid,
          target_branch: 'master',
          source_branch: 'one',
          source_project_id: project,
          target_project_id: project,
          author_id: ada.id,
          assignee_id: ada.id,
          milestone_id: null,
          title: 'It',
          description: 'Why',
          created_at: expect.any(String),
          updated_at: expect.any(String),
          state: 'opened',
          merge_status: 'unchecked',
          merge_commit_sha: null,
          merge_user_id: null,
          merge_when_pipeline_succeeds: false,
          work_in_progress: false,
          time_estimate: 0,
          total_time_spent: 0,
          human_time_estimate: null,
          human_total_time_spent: null,
          url: `${url}/ada/app/merge_requests/${iid}`,
          source: expect.objectContaining({ id: project }),
          target: expect.objectContaining({ id: project }),
          last_commit: {
            id: commits.get('one'),
            message: 'Change one\n',
            timestamp: expect.any(String),
            url: `${url}/ada/app/commit/${commits.get('one')}`,
            author: { name: 'Ada', email: 'ada@example.com' },
          },
          action: 'open',
        },
        labels: [expect.objectContaining({ title: 'bug', type: 'ProjectLabel' })],
        changes: {},
        repository: expect.objectContaining({ name: 'app', homepage: `${url}/ada/app` }),
        assignee: { name: 'Ada', username: 'ada', avatar_url: expect.any(String) },
      },
    });
    expect(messages.slice(1)).toMatchObject([
      {
        payload: {
          object_attributes: { action: 'update', work_in_progress: true },
          changes: { title: { previous: 'It', current: 'WIP: It' } },
        },
      },
      { payload: { object_attributes: { action: 'close', state: 'closed' } } },
      { payload: { object_attributes: { action: 'reopen', state: 'opened' } } },
    ]);
  });
});
