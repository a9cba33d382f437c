import { describe, expect, test } from 'vitest';
import { pushBranches } from '../support/merge-requests.ts';
import {
  type CreatedIssue,
  creatorOf,
  denied,
  fault,
  groupNotFound,
  projectNotFound,
  recordNotFound,
  restOf,
  soapClientOf,
} from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, remote, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada, guest: bob });
const app = await seed.project('acme/app');
const other = await seed.project('acme/other');
await pushBranches(remote('acme/app', root), ['topic', 'second']);

const inProject = `/projects/${app.id}`;
const inGroup = `/groups/${acme.id}`;
const create = creatorOf(as(ada));
const request = { target_branch: 'master' };

const bug = await create(`${inProject}/labels`, { name: 'bug', color: '#FF0000' });
const story = await create(`${inGroup}/labels`, { name: 'story', color: '#00FF00' });
const near = await create(`${inProject}/milestones`, { title: 'Near' });
const wide = await create(`${inGroup}/milestones`, { title: 'Wide' });
const first = await create(`${inProject}/issues`, {
  title: 'First',
  labels: 'bug',
  milestone_id: near.id,
});
await create(`${inProject}/issues`, { title: 'Second', milestone_id: wide.id });
await create(`${inProject}/merge_requests`, {
  ...request,
  title: 'Topic',
  source_branch: 'topic',
  description: `Closes #${first.iid}`,
  milestone_id: near.id,
});
await create(`${inProject}/merge_requests`, {
  ...request,
  title: 'Second',
  source_branch: 'second',
  milestone_id: wide.id,
});

/** With `args` the result equals that of REST at `path`; `invalidArgs` are a fault. */
interface Reading {
  readonly method: string;
  readonly args: unknown;
  readonly path: string;
  readonly invalidArgs: unknown;
  readonly expectedFault: unknown;
}

const projectMissing = { invalidArgs: ['none', 1], expectedFault: projectNotFound };
const groupMissing = { invalidArgs: ['none', 1], expectedFault: groupNotFound };

describe('results equal those of REST', () => {
  test.each<Reading>([
    {
      method: 'issue.list',
      args: [{ labels: 'bug', scope: 'all', per_page: '5' }],
      path: '/issues?labels=bug&scope=all',
      invalidArgs: [{ state: 'odd' }],
      expectedFault: fault('101', 'state does not have a valid value'),
    },
    {
      method: 'issue.list_of_group',
      args: ['acme', { milestone: 'Wide' }],
      path: `${inGroup}/issues?milestone=Wide`,
      invalidArgs: 'none',
      expectedFault: groupNotFound,
    },
    {
      method: 'issue.list_of_project',
      args: [app.id, { iids: [String(first.iid)] }],
      path: `${inProject}/issues?iids[]=${first.iid}`,
      invalidArgs: [app.id, { iids: ['x'] }],
      expectedFault: fault('101', 'iids is invalid'),
    },
    {
      method: 'issue.info',
      args: ['acme/app', first.iid],
      path: `${inProject}/issues/${first.iid}`,
      invalidArgs: ['acme/app', 99],
      expectedFault: recordNotFound,
    },
    {
      method: 'issue.participants',
      args: { id: app.id, issue_iid: String(first.iid) },
      path: `${inProject}/issues/${first.iid}/participants`,
      ...projectMissing,
    },
    {
      method: 'issue.related_merge_requests',
      args: [app.id, first.iid],
      path: `${inProject}/issues/${first.iid}/related_merge_requests`,
      ...projectMissing,
    },
    {
      method: 'issue.closed_by',
      args: [app.id, first.iid],
      path: `${inProject}/issues/${first.iid}/closed_by`,
      ...projectMissing,
    },
    {
      method: 'issue.time_stats',
      args: [app.id, first.iid],
      path: `${inProject}/issues/${first.iid}/time_stats`,
      ...projectMissing,
    },
    {
      method: 'label.list',
      args: [app.id, { search: 'bu' }],
      path: `${inProject}/labels?search=bu`,
      invalidArgs: 'none',
      expectedFault: projectNotFound,
    },
    {
      method: 'label.info',
      args: [app.id, 'bug'],
      path: `${inProject}/labels/bug`,
      ...projectMissing,
    },
    {
      method: 'group_label.list',
      args: ['acme'],
      path: `${inGroup}/labels`,
      invalidArgs: ['acme', { page: 'x' }],
      expectedFault: fault('101', 'page is invalid'),
    },
    {
      method: 'group_label.info',
      args: ['acme', story.id],
      path: `${inGroup}/labels/${story.id}`,
      ...groupMissing,
    },
    {
      method: 'milestone.list',
      args: [app.id, { state: 'active' }],
      path: `${inProject}/milestones?state=active`,
      invalidArgs: [app.id, { state: 'odd' }],
      expectedFault: fault('101', 'state does not have a valid value'),
    },
    {
      method: 'milestone.info',
      args: [app.id, near.id],
      path: `${inProject}/milestones/${near.id}`,
      ...projectMissing,
    },
    {
      method: 'milestone.issues',
      args: [app.id, near.id],
      path: `${inProject}/milestones/${near.id}/issues`,
      ...projectMissing,
    },
    {
      method: 'milestone.merge_requests',
      args: [app.id, near.id],
      path: `${inProject}/milestones/${near.id}/merge_requests`,
      ...projectMissing,
    },
    {
      method: 'group_milestone.list',
      args: 'acme',
      path: `${inGroup}/milestones`,
      invalidArgs: 'none',
      expectedFault: groupNotFound,
    },
    {
      method: 'group_milestone.info',
      args: [acme.id, wide.id],
      path: `${inGroup}/milestones/${wide.id}`,
      ...groupMissing,
    },
    {
      method: 'group_milestone.issues',
      args: [acme.id, wide.id],
      path: `${inGroup}/milestones/${wide.id}/issues`,
      ...groupMissing,
    },
    {
      method: 'group_milestone.merge_requests',
      args: [acme.id, wide.id],
      path: `${inGroup}/milestones/${wide.id}/merge_requests`,
      ...groupMissing,
    },
  ])('$method', async ({ method, args, path, invalidArgs, expectedFault }) => {
    const response = await asAda(method, args);
    expect(response).toEqual(await rest(ada, path));
    if (Array.isArray(response.result)) expect(response.result).toHaveLength(1);
    expect(await asAda(method, invalidArgs)).toEqual(expectedFault);
  });
});

describe('issue', () => {
  const createIssue = async (title: string) => create(`${inProject}/issues`, { title });
  const restIssue = (iid: number) => rest(ada, `${inProject}/issues/${iid}`);

  test('create', async () => {
    const input = { title: 'Größe', labels: ['bug'] };
    const response = await asAda('issue.create', [
      app.id,
      { ...input, assignee_ids: [`${ada.id}`] },
    ]);
    expect(response.result).toMatchObject({ ...input, assignee: { username: 'ada' } });
    expect(response).toEqual(await restIssue((response.result as CreatedIssue).iid));
    expect(await asAda('issue.create', [app.id])).toEqual(fault('100', 'title is missing'));
  });

  test('update', async () => {
    const { iid } = await createIssue('Open');
    const change = { state_event: 'close', confidential: 'true' };
    const response = await asAda('issue.update', [app.id, iid, change]);
    expect(response.result).toMatchObject({ state: 'closed', confidential: true });
    expect(response).toEqual(await restIssue(iid));
    expect(await asBob('issue.update', [app.id, first.iid, { title: 'No' }])).toEqual(denied);
  });

  test('delete', async () => {
    const { iid } = await createIssue('Deleted');
    expect(await asBob('issue.delete', [app.id, iid])).toEqual(denied);
    expect(await asAda('issue.delete', [app.id, iid])).toEqual({ result: true });
    expect(await asAda('issue.delete', [app.id, iid])).toEqual(fault('102', 'Issue Not Found'));
  });

  test('move', async () => {
    const { iid } = await createIssue('Moving');
    const response = await asAda('issue.move', [app.id, iid, { to_project_id: other.id }]);
    const { iid: now } = response.result as CreatedIssue;
    expect(response).toEqual(await rest(ada, `/projects/${other.id}/issues/${now}`));
    expect(response.result).toMatchObject({ title: 'Moving', project_id: other.id });
    expect(await asAda('issue.move', [app.id, iid])).toEqual(
      fault('100', 'to_project_id is missing'),
    );
  });

  test('subscribe and unsubscribe', async () => {
    const { iid } = await createIssue('Subscribed');
    for (const [verb, subscribed] of [
      ['unsubscribe', false],
      ['subscribe', true],
    ] as const) {
      const response = await asAda(`issue.${verb}`, [app.id, iid]);
      expect(response.result).toMatchObject({ subscribed });
      expect(response).toEqual(await restIssue(iid));
      expect(await asAda(`issue.${verb}`, [app.id, iid])).toEqual({ result: null });
      expect(await asAda(`issue.${verb}`, [app.id, 99])).toEqual(recordNotFound);
    }
  });

  test('time tracking', async () => {
    const { iid } = await createIssue('Long');
    for (const [verb, more, stats] of [
      ['time_estimate', [{ duration: '3h 30m' }], { time_estimate: 12_600 }],
      ['add_spent_time', [{ duration: '1h' }], { total_time_spent: 3_600 }],
      ['reset_time_estimate', [], { time_estimate: 0 }],
      ['reset_spent_time', [], { total_time_spent: 0 }],
    ] as const) {
      const response = await asAda(`issue.${verb}`, [app.id, iid, ...more]);
      expect(response.result).toMatchObject(stats);
      expect(response).toEqual(await rest(ada, `${inProject}/issues/${iid}/time_stats`));
      expect(await asBob(`issue.${verb}`, [app.id, iid, ...more])).toEqual(denied);
    }
  });
});

describe.each([
  { name: 'label', parent: app.id, path: `${inProject}/labels`, existingId: bug.id },
  { name: 'group_label', parent: acme.id, path: `${inGroup}/labels`, existingId: story.id },
])('$name', ({ name, parent, path, existingId }) => {
  test('create, update and delete', async () => {
    const input = { name: `new ${name}`, color: '#ABCDEF', description: 'ä' };
    const response = await asAda(`${name}.create`, [parent, input]);
    const { id } = response.result as CreatedIssue;
    expect(response.result).toMatchObject(input);
    expect(response).toEqual(await rest(ada, `${path}/${id}`));
    expect(await asAda(`${name}.create`, [parent, input])).toMatchObject({
      fault: { code: '104' },
    });
    const changed = await asAda(`${name}.update`, [parent, input.name, { color: '#000000' }]);
    expect(changed.result).toMatchObject({ id, color: '#000000' });
    expect(changed).toEqual(await rest(ada, `${path}/${id}`));
    expect(await asBob(`${name}.update`, [parent, id, { color: '#111111' }])).toEqual(denied);
    expect(await asBob(`${name}.delete`, [parent, id])).toEqual(denied);
    expect(await asAda(`${name}.delete`, [parent, id])).toEqual({ result: true });
  });

  test('subscribe and unsubscribe', async () => {
    for (const [verb, subscribed] of [
      ['subscribe', true],
      ['unsubscribe', false],
    ] as const) {
      const response = await asAda(`${name}.${verb}`, [parent, existingId]);
      expect(response.result).toMatchObject({ id: existingId, subscribed });
      expect(response).toEqual(await rest(ada, `${path}/${existingId}`));
      expect(await asAda(`${name}.${verb}`, [parent, existingId])).toEqual({ result: null });
      expect(await asAda(`${name}.${verb}`, [parent, 'none'])).toMatchObject({
        fault: { code: '102' },
      });
    }
  });
});

test.each([
  { name: 'milestone', parent: app.id, path: `${inProject}/milestones` },
  { name: 'group_milestone', parent: acme.id, path: `${inGroup}/milestones` },
])('$name: create, update and delete', async ({ name, parent, path }) => {
  const input = { title: `New ${name}`, description: 'ä', due_date: '2030-01-02' };
  const response = await asAda(`${name}.create`, [parent, input]);
  const { id } = response.result as CreatedIssue;
  expect(response.result).toMatchObject(input);
  expect(response).toEqual(await rest(ada, `${path}/${id}`));
  expect(await asAda(`${name}.create`, [parent])).toEqual(fault('100', 'title is missing'));
  const changed = await asAda(`${name}.update`, [parent, id, { state_event: 'close' }]);
  expect(changed.result).toMatchObject({ id, state: 'closed' });
  expect(changed).toEqual(await rest(ada, `${path}/${id}`));
  expect(await asBob(`${name}.update`, [parent, id, { title: 'No' }])).toEqual(denied);
  expect(await asBob(`${name}.delete`, [parent, id])).toEqual(denied);
  expect(await asAda(`${name}.delete`, [parent, id])).toEqual({ result: true });
});
