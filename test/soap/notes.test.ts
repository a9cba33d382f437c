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
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const { id: project } = await seed.project(
  'ada/app',
  { reporter: bob },
  { snippets_enabled: true },
);

await pushBranches(remote('ada/app', root), ['topic']);
const { iid: issue } = await issuesOf(db)(project, ada);
const { id: snippet } = await snippetsOf(db)(project, ada);
const { body: made } = await as(ada).post(`/projects/${project}/merge_requests`, {
  source_branch: 'topic',
  target_branch: 'master',
  title: 'Topic',
});
const { iid: mergeRequest } = made as { readonly iid: number };

describe.each([
  { name: 'issue_note', number: issue, parameter: 'issue_iid', things: 'issues' },
  { name: 'snippet_note', number: snippet, parameter: 'snippet_id', things: 'snippets' },
  {
    name: 'merge_request_note',
    number: mergeRequest,
    parameter: 'merge_request_iid',
    things: 'merge_requests',
  },
])('$name', ({ name, number, parameter, things }) => {
  const path = `/projects/${project}/${things}/${number}/notes`;
  const said = async (body: string) => {
    const { result } = await hers(`${name}.create`, [project, number, { body }]);
    return (result as Created).id;
  };

  test('create', async () => {
    const text = 'Grüße <&>\n second line';
    const told = await hers(`${name}.create`, ['ada/app', number, { body: text }]);
    expect(told.fault).toBeUndefined();
    const { id } = told.result as Created;
    const { result } = await rest(ada, `${path}/${id}`);
    expect(result).toMatchObject(told.result as object);
    expect(told.result).toMatchObject({ body: text, author: { username: 'ada' } });
    expect(await hers(`${name}.create`, [project, number])).toEqual(
      fault('100', 'body is missing'),
    );
  });

  test('list', async () => {
    await said('one');
    await said('two');
    const order = { order_by: 'created_at', sort: 'asc', per_page: '2' };
    const told = await hers(`${name}.list`, [project, String(number), order]);
    expect(told).toEqual(await rest(ada, `${path}?order_by=created_at&sort=asc&per_page=2`));
    expect(told.result).toHaveLength(2);
    expect(await hers(`${name}.list`, { id: project, [parameter]: number, ...order })).toEqual(
      told,
    );
    expect(await hers(`${name}.list`, [project, number, { sort: 'up' }])).toEqual(
      fault('101', 'sort does not have a valid value'),
    );
  });

  test('info', async () => {
    const id = await said('here');
    const told = await hers(`${name}.info`, [project, number, id]);
    expect(told).toEqual(await rest(ada, `${path}/${id}`));
    expect(told.result).toMatchObject({ id, body: 'here' });
    expect(await hers(`${name}.info`, [project, number, 0])).toEqual(recordNotFound);
  });

  test('update', async () => {
    const id = await said('before');
    const told = await hers(`${name}.update`, [project, number, id, { body: 'after' }]);
    const { result } = await rest(ada, `${path}/${id}`);
    expect(result).toMatchObject(told.result as object);
    expect(told.result).toMatchObject({ id, body: 'after' });
    expect(await his(`${name}.update`, [project, number, id, { body: 'no' }])).toEqual(denied);
  });

  test('delete', async () => {
    const id = await said('gone');
    expect(await his(`${name}.delete`, [project, number, id])).toEqual(denied);
    expect(await hers(`${name}.delete`, [project, number, id])).toEqual({ result: true });
    expect(await hers(`${name}.delete`, [project, number, id])).toEqual(recordNotFound);
  });
});

test('a note that is only an emoji is the award it makes', async () => {
  const told = await his('issue_note.create', [project, issue, { body: ':thumbsup:' }]);
  expect(told.result).toMatchObject({ name: 'thumbsup', awardable_type: 'Issue' });
  expect(await his('issue_note.create', [project, issue, { body: '👍' }])).toEqual(told);
});
