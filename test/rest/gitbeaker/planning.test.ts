import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { instant } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url, db } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);

const { id: groupId } = await seed.group('acme', { owner: ada });
const { id: projectId } = await seed.project('acme/app');

describe.each([
  { resource: 'ProjectLabels', id: projectId },
  { resource: 'GroupLabels', id: groupId },
] as const)('$resource', ({ resource, id }) => {
  test('are made, shown, listed, changed and removed', async () => {
    const labels = client[resource];
    const bug = {
      id: expect.any(Number),
      name: 'bug/1',
      color: '#ff0000',
      description: 'It fails',
      open_issues_count: 0,
      closed_issues_count: 0,
      open_merge_requests_count: 0,
      priority: null,
      subscribed: false,
    };
    const made = await labels.create(id, 'bug/1', '#ff0000', { description: 'It fails' });
    expect(made).toEqual(bug);
    await expect(labels.create(id, 'bug/1', '#ff0000')).rejects.toThrow('Label already exists');
    expect(await labels.all(id, { search: 'BUG' })).toEqual([bug]);
    expect(await labels.show(id, 'bug/1')).toEqual(made);
    expect(await labels.show(id, made.id)).toEqual(made);
    const renamed = { ...bug, name: 'fault' };
    expect(await labels.edit(id, 'bug/1', { newName: 'fault' })).toEqual(renamed);
    await labels.remove(id, made.id);
    expect(await labels.all(id)).toEqual([]);
    await expect(labels.show(id, 'fault')).rejects.toThrow('404 Label Not Found');
  });
});

describe.each([
  { resource: 'ProjectMilestones', id: projectId, parent: { project_id: projectId } },
  { resource: 'GroupMilestones', id: groupId, parent: { group_id: groupId } },
] as const)('$resource', ({ resource, id, parent }) => {
  test('are made, shown, listed, changed and removed', async () => {
    const milestones = client[resource];
    const one = {
      ...parent,
      id: expect.any(Number),
      iid: 1,
      title: 'One',
      description: 'First',
      state: 'active',
      created_at: instant,
      updated_at: instant,
      due_date: '2026-02-01',
      start_date: null,
    };
    const details = { description: 'First', dueDate: '2026-02-01' };
    const made = await milestones.create(id, 'One', details);
    expect(made).toEqual(one);
    const found = await milestones.all(id, { state: 'active', iids: [1], search: 'FIR' });
    expect(found).toEqual([one]);
    expect(await milestones.show(id, made.id)).toEqual(made);
    const closed = { ...one, state: 'closed', due_date: null };
    const change = { stateEvent: 'close', dueDate: '' } as const;
    expect(await milestones.edit(id, made.id, change)).toEqual(closed);
    await db.issue.create({
      data: { projectId, iid: made.id, milestoneId: made.id, text: { create: { title: 'It' } } },
    });
    expect(await milestones.allAssignedIssues(id, made.id)).toMatchObject([
      { iid: made.id, title: 'It', milestone: closed },
    ]);
    expect(await milestones.allAssignedMergeRequests(id, made.id)).toEqual([]);
    await milestones.remove(id, made.id);
    expect(await milestones.all(id)).toEqual([]);
    await expect(milestones.show(id, made.id)).rejects.toThrow('404 Not found');
  });
});

test.each(['ProjectLabels', 'GroupLabels', 'ProjectMilestones', 'GroupMilestones'])(
  'every method of %s was called, or has no endpoint here',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
