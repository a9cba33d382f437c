import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { basicUserShape, fullIssueShape, instant, issueShape } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { client, called } = recordedClient(url, ada.token);
const { Issues } = client;

const { id } = await seed.project('ada/app', { developer: bob });
const { id: other } = await seed.project('ada/other');

const iidOf = async (title: string) => (await Issues.create(id, title)).iid;

describe('Issues', () => {
  test('are created, shown, listed, changed and removed', async () => {
    const created = await Issues.create(id, 'First', {
      description: 'Details',
      labels: 'late,bug',
      assigneeIds: [bob.id],
      dueDate: '2026-02-03',
      confidential: true,
    });
    const traits = { id: created.id, iid: 1, projectId: id, fullPath: 'ada/app', title: 'First' };
    const input = {
      ...{ description: 'Details', labels: ['bug', 'late'], due_date: '2026-02-03' },
      ...{ confidential: true, assignees: [basicUserShape(url, bob)] },
      assignee: basicUserShape(url, bob),
    };
    const full = { ...fullIssueShape(url, { ...traits, author: ada }, true), ...input };
    expect(created).toEqual(full);
    expect(await Issues.show(1, { projectId: id })).toEqual(full);
    const listed = { ...issueShape(url, { ...traits, author: ada }), ...input };
    expect(await Issues.all({ projectId: id })).toEqual([listed]);
    expect(await Issues.all({ scope: 'all' })).toEqual([listed]);
    const closed = await Issues.edit(id, 1, {
      ...{ title: 'Done', stateEvent: 'close', labels: '', confidential: false },
    });
    expect(closed).toEqual({
      ...full,
      ...{ title: 'Done', state: 'closed', closed_at: instant, labels: [], confidential: false },
    });
    await Issues.remove(id, 1);
    await expect(Issues.show(1, { projectId: id })).rejects.toThrow('404 Not found');
    await expect(Issues.remove(id, 1)).rejects.toThrow('404 Issue Not Found');
    await expect(Issues.create(id, '')).rejects.toThrow();
  });

  test('are moved to another project', async () => {
    const iid = await iidOf('Moving');
    const moved = await Issues.move(id, iid, other);
    const traits = { id: moved.id, iid: 1, projectId: other, fullPath: 'ada/other' };
    expect(moved).toEqual(fullIssueShape(url, { ...traits, title: 'Moving', author: ada }, true));
    await expect(Issues.move(id, iid, id)).rejects.toThrow('project it originates from');
  });

  test('have participants, subscriptions and closing merge requests', async () => {
    const iid = await iidOf('Talked about');
    expect(await Issues.allParticipants(id, iid)).toEqual([basicUserShape(url, ada)]);
    expect(await Issues.unsubscribe(id, iid)).toMatchObject({ iid, subscribed: false });
    expect(await Issues.subscribe(id, iid)).toMatchObject({ iid, subscribed: true });
    expect(await Issues.createTodo(id, iid)).toMatchObject({ state: 'pending' });
    expect(await Issues.allClosedByMergeRequestst(id, iid)).toEqual([]);
    expect(await Issues.allRelatedMergeRequests(id, iid)).toEqual([]);
  });

  test('have time statistics', async () => {
    const iid = await iidOf('Timed');
    const stats = (estimate: number, spent: number, ...human: (string | null)[]) => ({
      ...{ time_estimate: estimate, total_time_spent: spent },
      ...{ human_time_estimate: human[0], human_total_time_spent: human[1] },
    });
    expect(await Issues.addTimeEstimate(id, iid, '1d')).toEqual(stats(28_800, 0, '1d', null));
    expect(await Issues.addSpentTime(id, iid, '2h')).toEqual(stats(28_800, 7200, '1d', '2h'));
    expect(await Issues.showTimeStats(id, iid)).toEqual(stats(28_800, 7200, '1d', '2h'));
    expect(await Issues.resetTimeEstimate(id, iid)).toEqual(stats(0, 7200, null, '2h'));
    expect(await Issues.resetSpentTime(id, iid)).toEqual(stats(0, 0, null, null));
  });
});

test('every method of Issues was called, or has no endpoint in Millrace', () => {
  const missing = methodsOf(client, 'Issues').filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
  expect(listed).toEqual([]);
});
