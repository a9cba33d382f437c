import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { mergeRequestShape, pushBranches } from '../../support/merge-requests.ts';
import { basicUserShape, instant } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, url, remote } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);
const { MergeRequests } = client;

const { id: project } = await seed.project('ada/app');
const free = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const commits = await pushBranches(remote('ada/app', root), free);

const createMergeRequest = () => MergeRequests.create('ada/app', free.pop() ?? '', 'master', 'It');

describe('MergeRequests', () => {
  test('are created, listed, shown, changed and removed', async () => {
    const created = await MergeRequests.create('ada/app', 'one', 'master', 'It', {
      description: 'Closes #1',
      removeSourceBranch: true,
    });
    const shape = {
      ...mergeRequestShape(url, {
        id: created.id,
        iid: created.iid,
        projectId: project,
        fullPath: 'ada/app',
        title: 'It',
        sourceBranch: 'one',
        sha: commits.get('one'),
        author: ada,
      }),
      description: 'Closes #1',
      force_remove_source_branch: true,
    };
    const single = { ...shape, subscribed: true, head_pipeline: null };
    expect(created).toEqual(single);
    const { iid } = created;
    const master = commits.get('master');
    const diffRefs = { base_sha: master, start_sha: master, head_sha: commits.get('one') };
    expect(await MergeRequests.show(project, iid)).toEqual({
      ...single,
      diff_refs: diffRefs,
      pipeline: null,
    });
    expect(await MergeRequests.all({ projectId: project, state: 'opened' })).toEqual([shape]);
    expect(await MergeRequests.all()).toEqual([shape]);
    const changed = await MergeRequests.edit(project, iid, { title: 'WIP: It', labels: 'bug' });
    expect(changed).toMatchObject({ title: 'WIP: It', work_in_progress: true, labels: ['bug'] });
    const issue = await as(ada).post(`/projects/${project}/issues`, { title: 'A door squeaks' });
    expect(await MergeRequests.allIssuesClosed(project, iid)).toMatchObject([
      { title: 'A door squeaks' },
    ]);
    expect(await client.Issues.allClosedByMergeRequestst(project, 1)).toMatchObject([{ iid }]);
    expect(issue.status).toBe(201);
    expect(await MergeRequests.allCommits(project, iid)).toMatchObject([
      { id: commits.get('one') },
    ]);
    expect(await MergeRequests.showChanges(project, iid)).toMatchObject({
      iid,
      changes: [{ new_path: 'one.txt', new_file: true }],
    });
    expect(await MergeRequests.allParticipants(project, iid)).toEqual([basicUserShape(url, ada)]);
    expect(await MergeRequests.allPipelines(project, iid)).toEqual([]);
    await expect(MergeRequests.createPipeline(project, iid)).rejects.toThrow('Missing');
    const [version] = await MergeRequests.allDiffVersions(project, iid);
    expect(version).toMatchObject({ head_commit_sha: commits.get('one'), real_size: '1' });
    expect(await MergeRequests.showDiffVersion(project, iid, version?.id ?? 0)).toMatchObject({
      commits: [{ id: commits.get('one') }],
      diffs: [{ new_path: 'one.txt' }],
    });
    await MergeRequests.remove(project, iid);
    await expect(MergeRequests.show(project, iid)).rejects.toThrow('404 Not found');
    await expect(MergeRequests.create(project, 'master', 'master', 'It')).rejects.toThrow(
      'You can not use same project/branch',
    );
  });

  test('are subscribed to and unsubscribed from', async () => {
    const { iid } = await createMergeRequest();
    expect(await MergeRequests.unsubscribe(project, iid)).toMatchObject({ subscribed: false });
    expect(await MergeRequests.subscribe(project, iid)).toMatchObject({ subscribed: true });
  });

  test('have time statistics', async () => {
    const { iid } = await createMergeRequest();
    expect(await MergeRequests.setTimeEstimate(project, iid, '2h')).toMatchObject({
      time_estimate: 7200,
    });
    expect(await MergeRequests.addSpentTime(project, iid, '1h')).toMatchObject({
      total_time_spent: 3600,
    });
    expect(await MergeRequests.showTimeStats(project, iid)).toEqual({
      time_estimate: 7200,
      total_time_spent: 3600,
      human_time_estimate: '2h',
      human_total_time_spent: '1h',
    });
    expect(await MergeRequests.resetSpentTime(project, iid)).toMatchObject({ total_time_spent: 0 });
    expect(await MergeRequests.resetTimeEstimate(project, iid)).toMatchObject({ time_estimate: 0 });
  });

  test('show their changed files, and become to-dos', async () => {
    const { iid } = await createMergeRequest();
    expect(await MergeRequests.allDiffs(project, iid)).toMatchObject([{ new_file: true }]);
    expect(await MergeRequests.createTodo(project, iid)).toMatchObject({ state: 'pending' });
  });

  test('are rebased', async () => {
    const { iid } = await createMergeRequest();
    expect(await MergeRequests.rebase(project, iid)).toEqual({ rebase_in_progress: true });
  });

  test('are merged', async () => {
    const [first, two] = [await createMergeRequest(), await createMergeRequest()];
    await expect(MergeRequests.cancelOnPipelineSuccess(project, first.iid)).rejects.toThrow();
    expect(await MergeRequests.merge(project, first.iid)).toMatchObject({ state: 'merged' });
    expect(await MergeRequests.accept(project, two.iid)).toMatchObject({ state: 'merged' });
  });
});

describe('MergeRequestNotes and emoji', () => {
  test('are created, listed, shown, changed and removed', async () => {
    const { MergeRequestNotes } = client;
    const { MergeRequestAwardEmojis: emojis, MergeRequestNoteAwardEmojis: noteEmojis } = client;
    const { id: noteable_id, iid } = await createMergeRequest();
    const created = await MergeRequestNotes.create(project, iid, 'Hello');
    const shape = {
      id: created.id,
      body: 'Hello',
      attachment: null,
      author: { ...basicUserShape(url, ada), email: ada.email, created_at: instant },
      created_at: instant,
      updated_at: instant,
      system: false,
      noteable_id,
      noteable_type: 'MergeRequest',
      noteable_iid: iid,
    };
    expect(created).toEqual(shape);
    expect(await MergeRequestNotes.show(project, iid, created.id)).toEqual(shape);
    expect(await MergeRequestNotes.all(project, iid)).toEqual([shape]);
    expect(await MergeRequestNotes.edit(project, iid, created.id, { body: 'Bye' })).toEqual({
      ...shape,
      body: 'Bye',
    });
    const award = await emojis.award(project, iid, 'tada');
    expect(award).toMatchObject({ awardable_id: noteable_id, awardable_type: 'MergeRequest' });
    expect(await emojis.show(project, iid, award.id)).toEqual(award);
    expect(await emojis.all(project, iid)).toEqual([award]);
    await emojis.remove(project, iid, award.id);
    const onNote = await noteEmojis.award(project, iid, created.id, 'tada');
    expect(onNote).toMatchObject({ awardable_id: created.id, awardable_type: 'Note' });
    expect(await noteEmojis.show(project, iid, created.id, onNote.id)).toEqual(onNote);
    expect(await noteEmojis.all(project, iid, created.id)).toEqual([onNote]);
    await noteEmojis.remove(project, iid, created.id, onNote.id);
    await MergeRequestNotes.remove(project, iid, created.id);
    await expect(MergeRequestNotes.show(project, iid, created.id)).rejects.toThrow('404 Not found');
  });
});

test.each([
  'MergeRequests',
  'MergeRequestNotes',
  'MergeRequestAwardEmojis',
  'MergeRequestNoteAwardEmojis',
])('every method of %s was called, or has no endpoint in Millrace', (resource) => {
  const missing = methodsOf(client, resource).filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
  expect(listed).toEqual([]);
});
