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
  test('are created, shown, listed, changed and removed', async () => {
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
    const created = await labels.create(id, 'bug/1', '#ff0000', { description: 'It fails' });
    expect(created).toEqual(bug);
    await expect(labels.create(id, 'bug/1', '#ff0000')).rejects.toThrow('Label already exists');
    expect(await labels.all(id, { search: 'BUG' })).toEqual([bug]);
    expect(await labels.show(id, 'bug/1')).toEqual(created);
    expect(await labels.show(id, created.id)).toEqual(created);
    const renamed = { ...bug, name: 'fault' };
    expect(await labels.edit(id, 'bug/1', { newName: 'fault' })).toEqual(renamed);
    await labels.remove(id, created.id);
    expect(await labels.all(id)).toEqual([]);
    await expect(labels.show(id, 'fault')).rejects.toThrow('404 Label Not Found');
  });
});

describe.each([
  { resource: 'ProjectMilestones', id: projectId, parent: { project_id: projectId } },
  { resource: 'GroupMilestones', id: groupId, parent: { group_id: groupId } },
] as const)('$resource', ({ resource, id, parent }) => {
  test('are created, shown, listed, changed and removed', async () => {
    const milestones = client[resource];
    const milestone = {
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
    const created = await milestones.create(id, 'One', details);
    expect(created).toEqual(milestone);
    const listed = await milestones.all(id, { state: 'active', iids: [1], search: 'FIR' });
    expect(listed).toEqual([milestone]);
    expect(await milestones.show(id, created.id)).toEqual(created);
    const closed = { ...milestone, state: 'closed', due_date: null };
    const change = { stateEvent: 'close', dueDate: '' } as const;
    expect(await milestones.edit(id, created.id, change)).toEqual(closed);
    await db.issue.create({
      data: {
        projectId,
        iid: created.id,
        milestoneId: created.id,
        text: { create: { title: 'It' } },
      },
    });
    expect(await milestones.allAssignedIssues(id, created.id)).toMatchObject([
      { iid: created.id, title: 'It', milestone: closed },
    ]);
    expect(await milestones.allAssignedMergeRequests(id, created.id)).toEqual([]);
    await milestones.remove(id, created.id);
    expect(await milestones.all(id)).toEqual([]);
    await expect(milestones.show(id, created.id)).rejects.toThrow('404 Not found');
  });
});

test.each(['ProjectLabels', 'GroupLabels', 'ProjectMilestones', 'GroupMilestones'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  },
);
