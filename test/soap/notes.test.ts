import { describe, expect, test } from 'vitest';
import { issuesOf } from '../support/discussion.ts';
import { pushBranches } from '../support/merge-requests.ts';
import type { Created } from '../support/seed.ts';
import { snippetsOf } from '../support/snippets.ts';
import { denied, fault, recordNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, db, remote, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const { id: project } = await seed.project(
  'ada/app',
  { reporter: bob },
  { snippets_enabled: true },
);

await pushBranches(remote('ada/app', root), ['topic']);
const { iid: issue } = await issuesOf(db)(project, ada);
const { id: snippet } = await snippetsOf(db)(project, ada);
const { body: created } = await as(ada).post(`/projects/${project}/merge_requests`, {
  source_branch: 'topic',
  target_branch: 'master',
  title: 'Topic',
});
const { iid: mergeRequest } = created as { readonly iid: number };

describe.each([
  { name: 'issue_note', number: issue, parameter: 'issue_iid', plural: 'issues' },
  { name: 'snippet_note', number: snippet, parameter: 'snippet_id', plural: 'snippets' },
  {
    name: 'merge_request_note',
    number: mergeRequest,
    parameter: 'merge_request_iid',
    plural: 'merge_requests',
  },
])('$name', ({ name, number, parameter, plural }) => {
  const path = `/projects/${project}/${plural}/${number}/notes`;
  const createNote = async (body: string) => {
    const { result } = await asAda(`${name}.create`, [project, number, { body }]);
    return (result as Created).id;
  };

  test('create', async () => {
    const text = 'Grüße <&>\n second line';
    const response = await asAda(`${name}.create`, ['ada/app', number, { body: text }]);
    expect(response.fault).toBeUndefined();
    const { id } = response.result as Created;
    const { result } = await rest(ada, `${path}/${id}`);
    expect(result).toMatchObject(response.result as object);
    expect(response.result).toMatchObject({ body: text, author: { username: 'ada' } });
    expect(await asAda(`${name}.create`, [project, number])).toEqual(
      fault('100', 'body is missing'),
    );
  });

  test('list', async () => {
    await createNote('one');
    await createNote('two');
    const order = { order_by: 'created_at', sort: 'asc', per_page: '2' };
    const response = await asAda(`${name}.list`, [project, String(number), order]);
    expect(response).toEqual(await rest(ada, `${path}?order_by=created_at&sort=asc&per_page=2`));
    expect(response.result).toHaveLength(2);
    expect(await asAda(`${name}.list`, { id: project, [parameter]: number, ...order })).toEqual(
      response,
    );
    expect(await asAda(`${name}.list`, [project, number, { sort: 'up' }])).toEqual(
      fault('101', 'sort does not have a valid value'),
    );
  });

  test('info', async () => {
    const id = await createNote('here');
    const response = await asAda(`${name}.info`, [project, number, id]);
    expect(response).toEqual(await rest(ada, `${path}/${id}`));
    expect(response.result).toMatchObject({ id, body: 'here' });
    expect(await asAda(`${name}.info`, [project, number, 0])).toEqual(recordNotFound);
  });

  test('update', async () => {
    const id = await createNote('before');
    const response = await asAda(`${name}.update`, [project, number, id, { body: 'after' }]);
    const { result } = await rest(ada, `${path}/${id}`);
    expect(result).toMatchObject(response.result as object);
    expect(response.result).toMatchObject({ id, body: 'after' });
    expect(await asBob(`${name}.update`, [project, number, id, { body: 'no' }])).toEqual(denied);
  });

  test('delete', async () => {
    const id = await createNote('deleted');
    expect(await asBob(`${name}.delete`, [project, number, id])).toEqual(denied);
    expect(await asAda(`${name}.delete`, [project, number, id])).toEqual({ result: true });
    expect(await asAda(`${name}.delete`, [project, number, id])).toEqual(recordNotFound);
  });
});

test('a note that is only an emoji becomes an award', async () => {
  const response = await asBob('issue_note.create', [project, issue, { body: ':thumbsup:' }]);
  expect(response.result).toMatchObject({ name: 'thumbsup', awardable_type: 'Issue' });
  expect(await asBob('issue_note.create', [project, issue, { body: '👍' }])).toEqual(response);
});
