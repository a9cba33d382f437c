import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { type SoapProgram, startProgram } from '../support/soap-program.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();

let ada: TestUser;
let zeep: SoapProgram;
let session: unknown;
beforeAll(async () => {
  ada = await seed.user('ada');
  await seed.group('acme', { owner: ada });
  await seed.project('acme/app', {}, { description: 'Grüße & <Tags>', tag_list: 'a,b' });
  await seed.project('acme/bare');
  // the system's Python has the library; another python3 in PATH may not
  zeep = startProgram('/usr/bin/python3', [
    '-B',
    'test/fixtures/soap/client.py',
    `${url}/api/soap`,
    'node_modules/strong-soap/xsds/soap-encoding.xsd',
  ]);
  session = (await zeep.call('login', 'ada', ada.token)).result;
});
afterAll(() => zeep.stop());

test('startSession and endSession', async () => {
  const { result } = await zeep.call('startSession');
  expect(result).toMatch(/^[0-9a-f]{64}$/);
  expect(await zeep.call('resources', result)).toEqual({
    fault: { code: '5', message: 'Session expired. Try to relogin.' },
  });
  const own = (await zeep.call('login', 'ada', ada.token)).result;
  expect(await zeep.call('endSession', own)).toEqual({ result: true });
  expect(await zeep.call('call', own, 'project.list')).toMatchObject({ fault: { code: '5' } });
});

test('login gives a fault for a wrong token', async () => {
  expect(await zeep.call('login', 'ada', 'wrong')).toEqual({
    fault: { code: '2', message: 'Access denied.' },
  });
});

test('a list of nested maps equals the REST response', async () => {
  const { body } = await as(ada).get('/projects?order_by=path&sort=asc');
  const args = { order_by: 'path', sort: 'asc' };
  expect(await zeep.call('call', session, 'project.list', args)).toEqual({ result: body });
  expect(body).toHaveLength(2);
});

test('a map equals the REST response, with a single or a named argument', async () => {
  const { body } = await as(ada).get('/projects/acme%2Fapp');
  for (const args of ['acme/app', { id: 'acme/app', statistics: false }]) {
    expect(await zeep.call('call', session, 'project.info', args)).toEqual({ result: body });
  }
});

test('null, an empty list and a fault are returned as such', async () => {
  const noMatch = { search: 'no such name' };
  expect(await zeep.call('call', session, 'project.list', noMatch)).toEqual({ result: [] });
  expect(await zeep.call('call', session, 'project.info', null)).toEqual({
    fault: { code: '100', message: 'id is missing' },
  });
  expect(await zeep.call('call', session, 'project.info', 'none/such')).toEqual({
    fault: { code: '102', message: 'Project Not Found' },
  });
});

test('resources and faults are listed', async () => {
  const project = expect.objectContaining({ name: 'project', description: null, aliases: [] });
  expect(await zeep.call('resources', session)).toEqual({
    result: expect.arrayContaining([project]),
  });
  expect(await zeep.call('globalFaults', session)).toMatchObject({
    result: [{ code: '0', message: 'Unknown Error' }, {}, {}, {}, {}, {}, {}],
  });
  const own = await zeep.call('resourceFaults', 'project', session);
  expect(own).toMatchObject({ result: [{ code: '100' }, {}, {}, {}, {}, {}, {}, { code: '107' }] });
  expect(await zeep.call('resourceFaults', session, 'project')).toEqual(own);
});
