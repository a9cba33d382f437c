import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { type SoapProgram, startProgram } from '../support/soap-program.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const soapUrl = `${url}/api/soap`;

let ada: TestUser;
beforeAll(async () => {
  ada = await seed.user('ada');
  await seed.group('acme', { owner: ada });
  await seed.project('acme/app', {}, { description: 'Grüße & <Tags>', tag_list: 'a,b' });
  await seed.project('acme/bare');
});

describe.each(['wsdl', 'non-wsdl'])("PHP's SoapClient, mode %s", (mode) => {
  let php: SoapProgram;
  let session: unknown;
  beforeAll(async () => {
    php = startProgram('php', ['test/fixtures/soap/client.php', mode, soapUrl]);
    session = (await php.call('login', 'ada', ada.token)).result;
  });
  afterAll(() => php.stop());

  test('startSession gives an anonymous session', async () => {
    const response = await php.call('startSession');
    expect(response).toEqual({ result: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await php.call('resources', response.result)).toEqual({
      fault: { code: '5', message: 'Session expired. Try to relogin.' },
    });
  });

  test('login gives a session id or a fault', async () => {
    expect(session).toMatch(/^[0-9a-f]{64}$/);
    expect(await php.call('login', 'ada', 'wrong')).toEqual({
      fault: { code: '2', message: 'Access denied.' },
    });
    expect(await php.call('login', 'ada', '')).toMatchObject({ fault: { code: '6' } });
  });

  test('a list of nested maps equals the REST response', async () => {
    const { body } = await as(ada).get('/projects?order_by=path&sort=asc');
    const args = [{ order_by: 'path', sort: 'asc' }];
    expect(await php.call('call', session, 'project.list', args)).toEqual({ result: body });
    expect(body).toHaveLength(2);
  });

  test('arguments can be positional, named, a single value or absent', async () => {
    const { body } = await as(ada).get('/projects/acme%2Fapp');
    for (const args of [['acme/app'], 'acme/app', { id: 'acme/app' }, ['acme/app', {}]]) {
      expect(await php.call('call', session, 'project.info', args)).toEqual({ result: body });
    }
    expect(await php.call('call', session, 'project.info')).toEqual({
      fault: { code: '100', message: 'id is missing' },
    });
  });

  test('nested arguments, null, UTF-8 and an empty array keep their values', async () => {
    const { result } = await php.call('call', session, 'project.create', [
      { name: `Übung ${mode} 😀`, tag_list: ['ä', '<b>'], description: null, wiki_enabled: false },
    ]);
    expect(result).toMatchObject({
      name: `Übung ${mode} 😀`,
      tag_list: ['ä', '<b>'],
      description: null,
      wiki_enabled: false,
    });
    const { id } = result as { readonly id: number };
    expect({ status: 200, body: result }).toEqual(await as(ada).get(`/projects/${id}`));
    const emptied = await php.call('call', session, 'project.update', [id, { tag_list: [] }]);
    expect(emptied).toMatchObject({ result: { id, tag_list: [] } });
    expect(await php.call('call', session, 'project.delete', id)).toEqual({
      result: { message: '202 Accepted' },
    });
  });

  test('multiCall returns results and faults', async () => {
    const calls = [['project.info', ['acme/app']], ['nothing.here'], ['project.info', 'none']];
    const { body } = await as(ada).get('/projects/acme%2Fapp');
    const invalid = { isFault: true, faultCode: '3', faultMessage: 'Invalid api path.' };
    const missing = { isFault: true, faultCode: '102', faultMessage: 'Project Not Found' };
    expect(await php.call('multiCall', session, calls)).toEqual({
      result: [body, invalid, missing],
    });
    expect(await php.call('multiCall', session, calls, { break: 1 })).toEqual({
      result: [body, invalid],
    });
  });

  test('resources and faults are listed', async () => {
    const project = expect.objectContaining({ name: 'project', description: null, aliases: [] });
    expect(await php.call('resources', session)).toEqual({
      result: expect.arrayContaining([project]),
    });
    const faults = { result: expect.arrayContaining([{ code: '5', message: expect.any(String) }]) };
    expect(await php.call('globalFaults', session)).toEqual(faults);
    const projectFaults = await php.call('resourceFaults', session, 'project');
    expect(projectFaults).toMatchObject({
      result: [{ code: '100' }, {}, {}, {}, {}, {}, {}, { code: '107' }],
    });
    expect(await php.call('resourceFaults', 'project', session)).toEqual(projectFaults);
  });

  test('endSession ends the session', async () => {
    const otherSession = (await php.call('login', 'ada', ada.token)).result;
    expect(await php.call('endSession', otherSession)).toEqual({ result: true });
    expect(await php.call('endSession', otherSession)).toEqual({ result: true });
    expect(await php.call('call', otherSession, 'project.list')).toMatchObject({
      fault: { code: '5' },
    });
  });
});
