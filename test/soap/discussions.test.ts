import { describe, expect, test } from 'vitest';
import { startThread, type TestDiscussion } from '../support/discussions.ts';
import { pushBranches } from '../support/merge-requests.ts';
import { restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const asAda = soap.as(ada);
const rest = restOf(as);
const settings = { snippets_enabled: true };
const { id: project } = await seed.project('ada/app', {}, settings);
const commits = await pushBranches(remote('ada/app', root), ['topic']);
const sha = commits.get('topic') ?? '';
await as(ada).post(`/projects/${project}/issues`, { title: 'It' });
await as(ada).post(`/projects/${project}/merge_requests`, {
  source_branch: 'topic',
  target_branch: 'master',
  title: 'It',
});
const { body: snippet } = await as(ada).post(`/projects/${project}/snippets`, {
  ...{ title: 'It', file_name: 'it.rb', code: 'it', visibility: 'private' },
});
const snippetId = (snippet as { readonly id: number }).id;
const missing = { fault: { code: '102', message: expect.any(String) } };

describe.each([
  ['issue', 1, 'issues/1'],
  ['merge_request', 1, 'merge_requests/1'],
  ['snippet', snippetId, `snippets/${snippetId}`],
  ['commit', sha, `repository/commits/${sha}`],
] as const)('%s_discussion', (name, number, path) => {
  const all = `/projects/${project}/${path}`;
  const call = (method: string, ...given: readonly unknown[]) =>
    asAda(`${name}_discussion.${method}`, [project, number, ...given]);

  test('list, info and create', async () => {
    const { result } = await call('create', { body: 'Why?' });
    const { id } = result as TestDiscussion;
    expect(await call('info', id)).toEqual({ result });
    expect(await call('info', id)).toEqual(await rest(ada, `${all}/discussions/${id}`));
    expect(await call('list')).toEqual(await rest(ada, `${all}/discussions`));
    expect(await call('info', 'none')).toEqual(missing);
    expect(await call('create', {})).toMatchObject({ fault: { code: '100' } });
  });

  test('reply, update_note and delete_note', async () => {
    const { id } = await startThread(as(ada), all);
    const { result } = await call('reply', id, { body: 'Because.' });
    const { id: noteId } = result as { readonly id: number };
    expect(await call('update_note', id, noteId, { body: 'So' })).toMatchObject({
      result: { id: noteId, body: 'So' },
    });
    expect(await call('list_notes', id)).toEqual(await rest(ada, `${all}/discussions/${id}/notes`));
    expect(await call('note_info', id, noteId)).toMatchObject({ result: { body: 'So' } });
    expect(await call('delete_note', id, noteId)).toEqual({ result: true });
    expect(await call('delete_note', id, noteId)).toEqual(missing);
    expect(await call('note_info', id, noteId)).toEqual(missing);
    expect(await call('list_notes', 'none')).toEqual(missing);
  });
});

test('merge_request_discussion.update', async () => {
  const { id } = await startThread(as(ada), `/projects/${project}/merge_requests/1`);
  const update = (key: string) =>
    asAda('merge_request_discussion.update', [project, 1, key, { resolved: true }]);
  expect(await update(id)).toMatchObject({ result: { id, notes: [{ resolved: true }] } });
  expect(await update('none')).toEqual(missing);
});
