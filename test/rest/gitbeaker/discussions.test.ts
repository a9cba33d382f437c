import { expect, test } from 'vitest';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { pushBranches } from '../../support/merge-requests.ts';
import { snippetsOf } from '../../support/snippets.ts';
import { world } from '../../support/world.ts';

const { seed, url, root, remote, db } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);
const { id: project } = await seed.project('ada/app', {}, { snippets_enabled: true });
const commits = await pushBranches(remote('ada/app', root), ['topic']);
const [base = '', sha = ''] = ['master', 'topic'].map((name) => commits.get(name));
await client.MergeRequests.create(project, 'topic', 'master', 'It');
await client.Issues.create(project, 'It');
const { id: snippet } = await snippetsOf(db)(project, ada);

const resources = [
  ['IssueDiscussions', 1],
  ['MergeRequestDiscussions', 1],
  ['ProjectSnippetDiscussions', snippet],
  ['CommitDiscussions', sha],
] as const;

test.each(resources)('%s are created, listed, shown, answered and changed', async (name, on) => {
  const discussions = client[name] as typeof client.IssueDiscussions;
  const number = on as number;
  const created = await discussions.create(project, number, 'Why?');
  const { id } = created;
  const note = await discussions.addNote(project, number, id, 'Because.');
  const shown = await discussions.show(project, number, id);
  expect(shown.notes).toHaveLength(2);
  expect(await discussions.all(project, number)).toEqual([shown]);
  await discussions.editNote(project, number, id, note.id, { body: 'So' });
  await discussions.removeNote(project, number, id, note.id);
  expect(await discussions.show(project, number, id)).toEqual(created);
});

test.each([
  ['MergeRequestDiscussions', 1],
  ['CommitDiscussions', sha],
] as const)('%s have positions', async (name, on) => {
  const position = {
    ...{ baseSha: base, startSha: base, headSha: sha },
    ...{ positionType: 'text' as const, newPath: 'topic.txt', newLine: '1' },
  } as const;
  const discussions = client[name] as typeof client.MergeRequestDiscussions;
  const { notes } = await discussions.create(project, on as number, 'Here', { position });
  expect(notes?.[0]).toMatchObject({ type: 'DiffNote', position: { new_line: 1 } });
});

test('MergeRequestDiscussions are resolved', async () => {
  const { MergeRequestDiscussions } = client;
  const { id } = await MergeRequestDiscussions.create(project, 1, 'Why?');
  const { notes } = await MergeRequestDiscussions.resolve(project, 1, id, true);
  expect(notes?.[0]).toMatchObject({ resolved: true });
});

test.each(resources)('every method of %s was called', (name) => {
  expect(methodsOf(client, name).filter((method) => !called.has(method))).toEqual([]);
});
