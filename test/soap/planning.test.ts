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
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada, guest: bob });
const app = await seed.project('acme/app');
const other = await seed.project('acme/other');
await pushBranches(remote('acme/app', root), ['topic', 'second']);

const inProject = `/projects/${app.id}`;
const inGroup = `/groups/${acme.id}`;
const make = creatorOf(as(ada));
const request = { target_branch: 'master' };

const bug = await make(`${inProject}/labels`, { name: 'bug', color: '#FF0000' });
const story = await make(`${inGroup}/labels`, { name: 'story', color: '#00FF00' });
const near = await make(`${inProject}/milestones`, { title: 'Near' });
const wide = await make(`${inGroup}/milestones`, { title: 'Wide' });
const first = await make(`${inProject}/issues`, {
  title: 'First',
  labels: 'bug',
  milestone_id: near.id,
});
await make(`${inProject}/issues`, { title: 'Second', milestone_id: wide.id });
await make(`${inProject}/merge_requests`, {
  ...request,
  title: 'Topic',
  source_branch: 'topic',
  description: `Closes #${first.iid}`,
  milestone_id: near.id,
});
await make(`${inProject}/merge_requests`, {
  ...request,
  title: 'Second',
  source_branch: 'second',
  milestone_id: wide.id,
});

/** Called so, it tells what REST does at `path`; called otherwise, it refuses. */
interface Reading {
  readonly method: string;
  readonly args: unknown;
  readonly path: string;
  readonly wrong: unknown;
  readonly refusal: unknown;
}

const noProject = { wrong: ['none', 1], refusal: projectNotFound };
const noGroup = { wrong: ['none', 1], refusal: groupNotFound };

describe('what is read is what REST tells', () => {
  test.each<Reading>([
    {
      method: 'issue.list',
      args: [{ labels: 'bug', scope: 'all', per_page: '5' }],
      path: '/issues?labels=bug&scope=all',
      wrong: [{ state: 'odd' }],
      refusal: fault('101', 'state does not have a valid value'),
    },
    {
      method: 'issue.list_of_group',
      args: ['acme', { milestone: 'Wide' }],
      path: `${inGroup}/issues?milestone=Wide`,
      wrong: 'none',
      refusal: groupNotFound,
    },
    {
      method: 'issue.list_of_project',
      args: [app.id, { iids: [String(first.iid)] }],
      path: `${inProject}/issues?iids[]=${first.iid}`,
      wrong: [app.id, { iids: ['x'] }],
      refusal: fault('101', 'iids is invalid'),
    },
    {
      method: 'issue.info',
      args: ['acme/app', first.iid],
      path: `${inProject}/issues/${first.iid}`,
      wrong: ['acme/app', 99],
      refusal: recordNotFound,
    },
    {
      method: 'issue.participants',
      args: { id: app.id, issue_iid: String(first.iid) },
      path: `${inProject}/issues/${first.iid}/participants`,
      ...noProject,
    },
    {
      method: 'issue.closed_by',
      args: [app.id, first.iid],
      path: `${inProject}/issues/${first.iid}/closed_by`,
      ...noProject,
    },
    {
      method: 'issue.time_stats',
      args: [app.id, first.iid],
      path: `${inProject}/issues/${first.iid}/time_stats`,
      ...noProject,
    },
    {
      method: 'label.list',
      args: [app.id, { search: 'bu' }],
      path: `${inProject}/labels?search=bu`,
      wrong: 'none',
      refusal: projectNotFound,
    },
    { method: 'label.info', args: [app.id, 'bug'], path: `${inProject}/labels/bug`, ...noProject },
    {
      method: 'group_label.list',
      args: ['acme'],
      path: `${inGroup}/labels`,
      wrong: ['acme', { page: 'x' }],
      refusal: fault('101', 'page is invalid'),
    },
    {
      method: 'group_label.info',
      args: ['acme', story.id],
      path: `${inGroup}/labels/${story.id}`,
      ...noGroup,
    },
    {
      method: 'milestone.list',
      args: [app.id, { state: 'active' }],
      path: `${inProject}/milestones?state=active`,
      wrong: [app.id, { state: 'odd' }],
      refusal: fault('101', 'state does not have a valid value'),
    },
    {
      method: 'milestone.info',
      args: [app.id, near.id],
      path: `${inProject}/milestones/${near.id}`,
      ...noProject,
    },
    {
      method: 'milestone.issues',
      args: [app.id, near.id],
      path: `${inProject}/milestones/${near.id}/issues`,
      ...noProject,
    },
    {
      method: 'milestone.merge_requests',
      args: [app.id, near.id],
      path: `${inProject}/milestones/${near.id}/merge_requests`,
      ...noProject,
    },
    {
      method: 'group_milestone.list',
      args: 'acme',
      path: `${inGroup}/milestones`,
      wrong: 'none',
      refusal: groupNotFound,
    },
    {
      method: 'group_milestone.info',
      args: [acme.id, wide.id],
      path: `${inGroup}/milestones/${wide.id}`,
      ...noGroup,
    },
    {
      method: 'group_milestone.issues',
      args: [acme.id, wide.id],
      path: `${inGroup}/milestones/${wide.id}/issues`,
      ...noGroup,
    },
    {
      method: 'group_milestone.merge_requests',
      args: [acme.id, wide.id],
      path: `${inGroup}/milestones/${wide.id}/merge_requests`,
      ...noGroup,
    },
  ])('$method', async ({ method, args, path, wrong, refusal }) => {
    const told = await hers(method, args);
    expect(told).toEqual(await rest(ada, path));
    if (Array.isArray(told.result)) expect(told.result).toHaveLength(1);
    expect(await hers(method, wrong)).toEqual(refusal);
  });
});

describe('issue', () => {
  const create = async (title: string) => make(`${inProject}/issues`, { title });
  const shown = (iid: number) => rest(ada, `${inProject}/issues/${iid}`);

  test('create', async () => {
    const given = { title: 'Größe', labels: ['bug'] };
    const told = await hers('issue.create', [app.id, { ...given, assignee_ids: [`${ada.id}`] }]);
    expect(told.result).toMatchObject({ ...given, assignee: { username: 'ada' } });
    expect(told).toEqual(await shown((told.result as CreatedIssue).iid));
    expect(await hers('issue.create', [app.id])).toEqual(fault('100', 'title is missing'));
  });

  test('update', async () => {
    const { iid } = await create('Open');
    const change = { state_event: 'close', confidential: 'true' };
    const told = await hers('issue.update', [app.id, iid, change]);
    expect(told.result).toMatchObject({ state: 'closed', confidential: true });
    expect(told).toEqual(await shown(iid));
    expect(await his('issue.update', [app.id, first.iid, { title: 'No' }])).toEqual(denied);
  });

  test('delete', async () => {
    const { iid } = await create('Gone');
    expect(await his('issue.delete', [app.id, iid])).toEqual(denied);
    expect(await hers('issue.delete', [app.id, iid])).toEqual({ result: true });
    expect(await hers('issue.delete', [app.id, iid])).toEqual(fault('102', 'Issue Not Found'));
  });

  test('move', async () => {
    const { iid } = await create('Moving');
    const told = await hers('issue.move', [app.id, iid, { to_project_id: other.id }]);
    const { iid: now } = told.result as CreatedIssue;
    expect(told).toEqual(await rest(ada, `/projects/${other.id}/issues/${now}`));
    expect(told.result).toMatchObject({ title: 'Moving', project_id: other.id });
    expect(await hers('issue.move', [app.id, iid])).toEqual(
      fault('100', 'to_project_id is missing'),
    );
  });

  test('subscribe and unsubscribe', async () => {
    const { iid } = await create('Followed');
    for (const [verb, subscribed] of [
      ['unsubscribe', false],
      ['subscribe', true],
    ] as const) {
      const told = await hers(`issue.${verb}`, [app.id, iid]);
      expect(told.result).toMatchObject({ subscribed });
      expect(told).toEqual(await shown(iid));
      expect(await hers(`issue.${verb}`, [app.id, iid])).toEqual({ result: null });
      expect(await hers(`issue.${verb}`, [app.id, 99])).toEqual(recordNotFound);
    }
  });

  test('its time', async () => {
    const { iid } = await create('Long');
    for (const [verb, more, stats] of [
      ['time_estimate', [{ duration: '3h 30m' }], { time_estimate: 12_600 }],
      ['add_spent_time', [{ duration: '1h' }], { total_time_spent: 3_600 }],
      ['reset_time_estimate', [], { time_estimate: 0 }],
      ['reset_spent_time', [], { total_time_spent: 0 }],
    ] as const) {
      const told = await hers(`issue.${verb}`, [app.id, iid, ...more]);
      expect(told.result).toMatchObject(stats);
      expect(told).toEqual(await rest(ada, `${inProject}/issues/${iid}/time_stats`));
      expect(await his(`issue.${verb}`, [app.id, iid, ...more])).toEqual(denied);
    }
  });
});

describe.each([
  { name: 'label', parent: app.id, all: `${inProject}/labels`, known: bug.id },
  { name: 'group_label', parent: acme.id, all: `${inGroup}/labels`, known: story.id },
])('$name', ({ name, parent, all, known }) => {
  test('create, update and delete', async () => {
    const given = { name: `new ${name}`, color: '#ABCDEF', description: 'ä' };
    const told = await hers(`${name}.create`, [parent, given]);
    const { id } = told.result as CreatedIssue;
    expect(told.result).toMatchObject(given);
    expect(told).toEqual(await rest(ada, `${all}/${id}`));
    expect(await hers(`${name}.create`, [parent, given])).toMatchObject({
      fault: { code: '104' },
    });
    const changed = await hers(`${name}.update`, [parent, given.name, { color: '#000000' }]);
    expect(changed.result).toMatchObject({ id, color: '#000000' });
    expect(changed).toEqual(await rest(ada, `${all}/${id}`));
    expect(await his(`${name}.update`, [parent, id, { color: '#111111' }])).toEqual(denied);
    expect(await his(`${name}.delete`, [parent, id])).toEqual(denied);
    expect(await hers(`${name}.delete`, [parent, id])).toEqual({ result: true });
  });

  test('subscribe and unsubscribe', async () => {
    for (const [verb, subscribed] of [
      ['subscribe', true],
      ['unsubscribe', false],
    ] as const) {
      const told = await hers(`${name}.${verb}`, [parent, known]);
      expect(told.result).toMatchObject({ id: known, subscribed });
      expect(told).toEqual(await rest(ada, `${all}/${known}`));
      expect(await hers(`${name}.${verb}`, [parent, known])).toEqual({ result: null });
      expect(await hers(`${name}.${verb}`, [parent, 'none'])).toMatchObject({
        fault: { code: '102' },
      });
    }
  });
});

test.each([
  { name: 'milestone', parent: app.id, all: `${inProject}/milestones` },
  { name: 'group_milestone', parent: acme.id, all: `${inGroup}/milestones` },
])('$name: create, update and delete', async ({ name, parent, all }) => {
  const given = { title: `New ${name}`, description: 'ä', due_date: '2030-01-02' };
  const told = await hers(`${name}.create`, [parent, given]);
  const { id } = told.result as CreatedIssue;
  expect(told.result).toMatchObject(given);
  expect(told).toEqual(await rest(ada, `${all}/${id}`));
  expect(await hers(`${name}.create`, [parent])).toEqual(fault('100', 'title is missing'));
  const changed = await hers(`${name}.update`, [parent, id, { state_event: 'close' }]);
  expect(changed.result).toMatchObject({ id, state: 'closed' });
  expect(changed).toEqual(await rest(ada, `${all}/${id}`));
  expect(await his(`${name}.update`, [parent, id, { title: 'No' }])).toEqual(denied);
  expect(await his(`${name}.delete`, [parent, id])).toEqual(denied);
  expect(await hers(`${name}.delete`, [parent, id])).toEqual({ result: true });
});
