import { describe, expect, test } from 'vitest';
import { denied, fault, recordNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const open = { visibility: 'public', request_access_enabled: true };
const { id: group } = await seed.group('acme', { owner: ada }, open);
const { id: project } = await seed.project('ada/app', {}, open);

describe.each([
  { name: 'group_access_request', id: group, source: `/groups/${group}` },
  { name: 'project_access_request', id: project, source: `/projects/${project}` },
])('$name', ({ name, id, source }) => {
  const rest = restOf(as);

  test('create and list', async () => {
    const response = await asBob(`${name}.create`, [id]);
    expect(response.result).toMatchObject({ username: 'bob', requested_at: expect.any(String) });
    const listed = await asAda(`${name}.list`, [id]);
    expect(listed).toEqual(await rest(ada, `${source}/access_requests`));
    expect(listed).toEqual({ result: [response.result] });
    expect(await asBob(`${name}.create`, [id])).toEqual(
      fault('100', 'user_id already exists in source'),
    );
    expect(await asBob(`${name}.list`, [id])).toEqual(denied);
  });

  test('approve', async () => {
    const { result } = await asAda(`${name}.approve`, [id, bob.id, { access_level: '20' }]);
    expect(result).toMatchObject({ username: 'bob', access_level: 20 });
    const { status } = await as(ada).get(`${source}/members/${bob.id}`);
    expect(status).toBe(200);
    expect(await asAda(`${name}.approve`, [id, bob.id])).toEqual(recordNotFound);
  });

  test('deny', async () => {
    await soap.as(cleo)(`${name}.create`, [id]);
    expect(await asBob(`${name}.deny`, [id, cleo.id])).toEqual(denied);
    expect(await asAda(`${name}.deny`, [id, cleo.id])).toEqual({ result: true });
    expect(await asAda(`${name}.list`, [id])).toEqual({ result: [] });
    expect(await asAda(`${name}.deny`, [id, cleo.id])).toEqual(recordNotFound);
  });
});
