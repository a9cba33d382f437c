import { expect, test } from 'vitest';
import type { Created } from '../support/seed.ts';
import { restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const soap = soapClientOf(url);
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', {});
await seed.push('ada/app', { 'README.md': '# App' });
await as(ada).post(`/projects/${app}/repository/branches`, { branch: 'topic', ref: 'master' });
await as(ada).post(`/projects/${app}/issues`, { title: 'Issue' });
await as(ada).post(`/projects/${app}/merge_requests`, {
  ...{ title: 'Request', source_branch: 'topic', target_branch: 'master' },
});
const fault = { fault: { code: expect.any(String), message: expect.any(String) } };

/** Also of the merge request in a to-do; it is found out in the background. */
const mergeStatus = async () => {
  const { body } = await as(ada).get(`/projects/${app}/merge_requests/1`);
  return (body as { merge_status: string }).merge_status;
};

test('todo.create_for_issue, create_for_merge_request, list and mark_as_done', async () => {
  await expect.poll(mergeStatus).not.toBe('unchecked');
  const issue = await asAda('todo.create_for_issue', [app, 1]);
  const request = await asAda('todo.create_for_merge_request', [app, 1]);
  expect(await asAda('todo.list')).toEqual(await rest(ada, '/todos'));
  expect((await asAda('todo.list')).result).toEqual([request.result, issue.result]);
  expect(await asBob('todo.list')).toEqual({ result: [] });
  const { id } = issue.result as Created;
  expect(await asBob('todo.mark_as_done', [id])).toEqual(fault);
  expect((await asAda('todo.mark_as_done', [id])).result).toMatchObject({ id, state: 'done' });
  expect(await asBob('todo.create_for_issue', [app, 1])).toEqual(fault);
  expect(await asBob('todo.create_for_merge_request', [app, 1])).toEqual(fault);
  await asAda('todo.mark_all_as_done');
  expect(await asAda('todo.list')).toEqual({ result: [] });
});
