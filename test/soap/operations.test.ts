import { beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { soapClientOf, soapResultOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { root, seed, url } = await world({
  variables: { MILLRACE_URL: 'https://code.example/m&m' },
});
const soap = soapClientOf(url);

const fault = (code: string, message: string) => ({ fault: { code, message } });
const asItem = ({ fault: { code, message } }: ReturnType<typeof fault>) => ({
  isFault: true,
  faultCode: code,
  faultMessage: message,
});
const invalidPath = fault('3', 'Invalid api path.');
const denied = fault('2', 'Access denied.');
const expired = fault('5', 'Session expired. Try to relogin.');
const notFound = fault('102', 'Project Not Found');

const faults = [
  { code: '0', message: 'Unknown Error' },
  { code: '1', message: 'Internal Error. Please see log for details.' },
  { code: '2', message: 'Access denied.' },
  { code: '3', message: 'Invalid api path.' },
  { code: '4', message: 'Resource path is not callable.' },
  { code: '5', message: 'Session expired. Try to relogin.' },
  {
    code: '6',
    message: 'Required parameter is missing, for more details see "exception.log".',
  },
];

const projectFaults = [
  { code: '100', message: 'Invalid project data. Details in error message.' },
  { code: '101', message: 'Invalid filters specified. Details in error message.' },
  { code: '102', message: 'Requested project not exists.' },
  { code: '103', message: 'The project is not deleted. Details in error message.' },
  { code: '104', message: 'The project is not changed. Details in error message.' },
  { code: '105', message: 'The answer is too large.' },
  { code: '106', message: 'Too many requests. Try again later.' },
  { code: '107', message: 'The service is busy. Try again later.' },
];

let ada: TestUser;
let session: string;
let rootSession: string;
beforeAll(async () => {
  ada = await seed.user('ada');
  session = await soap.session(ada);
  rootSession = await soap.session(root);
});

describe('GET /api/soap', () => {
  const get = (path: string, method = 'GET') => fetch(`${url}${path}`, { method });

  test.each(['/api/soap?wsdl', '/api/soap?wsdl=1', '/api/soap?WSDL', '/api/soap/?a=b&wsdl'])(
    '%s is the WSDL with the configured address',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('text/xml; charset=UTF-8');
      const text = await response.text();
      expect(text).toContain('<soap:address location="https://code.example/m&amp;m/api/soap"/>');
      expect(text).toContain('targetNamespace="urn:millrace"');
      expect(new Set(text.match(/soapAction="[^"]*"/g))).toEqual(
        new Set(['soapAction="urn:millraceAction"']),
      );
      expect((await get(path, 'HEAD')).status).toBe(200);
    },
  );

  test('the WSDL says what each operation does', async () => {
    const text = await (await get('/api/soap?wsdl')).text();
    const [, ports = ''] = /<portType([\s\S]*?)<\/portType>/.exec(text) ?? [];
    const operations = ports.split('<operation ').slice(1);
    expect(operations).toHaveLength(8);
    for (const operation of operations) expect(operation).toMatch(/<documentation>\w[^<]*\./);
  });

  test('responds with 404 without ?wsdl, and other methods get 405', async () => {
    const outcomeOf = async (response: Response) => ({
      status: response.status,
      outcome: soapResultOf(await response.text()),
    });
    const client = (message: string) => fault('SOAP-ENV:Client', message);
    expect(await outcomeOf(await get('/api/soap'))).toEqual({
      status: 404,
      outcome: client('GET is for /api/soap?wsdl alone'),
    });
    const put = await get('/api/soap?wsdl', 'PUT');
    expect(put.headers.get('Allow')).toBe('GET, HEAD, POST');
    expect(await outcomeOf(put)).toEqual({
      status: 405,
      outcome: client('PUT is for /api/soap?wsdl alone'),
    });
  });

  test('does not match paths with the same prefix', async () => {
    expect((await get('/api/soapy?wsdl')).status).toBe(404);
  });
});

describe('call', () => {
  const call = (path: unknown, args?: unknown) => soap.invoke('call', session, path, args);

  test.each([
    'project',
    'project.',
    '.list',
    'nothing.list',
    'project.nothing',
    'project.toString',
    '__proto__.list',
    'constructor.name',
    '',
    null,
    7,
    ['project.list'],
  ])('%j is an invalid path', async (path) => {
    expect(await call(path)).toEqual(invalidPath);
  });

  test('ignores a third part of the path', async () => {
    expect(await call('project.list.more')).toEqual({ result: [] });
  });

  test('denies administrator methods to other users', async () => {
    expect(await call('settings.info')).toEqual(denied);
    expect(await soap.invoke('call', rootSession, 'settings.info')).toMatchObject({
      result: { id: 1 },
    });
  });

  test('checks the session before the path', async () => {
    expect(await soap.invoke('call', 'nonsense', 'nothing')).toEqual(expired);
  });

  test('rejects too many arguments', async () => {
    const tooMany = fault('100', 'too many arguments');
    expect(await call('project.info', [1, 2])).toEqual(tooMany);
    expect(await call('project.info', [1, {}, 2])).toEqual(tooMany);
    expect(await call('project.list', ['x'])).toEqual(fault('101', 'too many arguments'));
  });

  test('converts texts to the types of the parameters, and names invalid ones', async () => {
    const { result } = await soap.invoke('call', rootSession, 'project.create', [
      { name: 'Typed', issues_enabled: 'false', tag_list: ['a', 'b'] },
    ]);
    expect(result).toMatchObject({ name: 'Typed', issues_enabled: false, tag_list: ['a', 'b'] });
    const { id } = result as { id: number };
    const typed = { result: expect.objectContaining({ id, name: 'Typed' }) };
    for (const args of [id, String(id), [String(id)], { id: String(id), statistics: 'true' }]) {
      expect(await soap.invoke('call', rootSession, 'project.info', args)).toEqual(typed);
    }
    expect(await call('project.list', [{ page: 'x' }])).toEqual(fault('101', 'page is invalid'));
    expect(await call('project.create', [{ issues_enabled: 'perhaps' }])).toEqual(
      fault(
        '100',
        'issues_enabled is invalid, name, path are missing, at least one parameter must be provided',
      ),
    );
    expect(await call('project.info', [{ x: 1 }])).toEqual(fault('100', 'id is missing'));
    expect(await call('project.info', [[1, 2]])).toEqual(fault('100', 'id is invalid'));
  });

  test('returns lists in pages', async () => {
    for (const name of ['one', 'two', 'three']) {
      await soap.invoke('call', session, 'project.create', [{ name }]);
    }
    const names = async (...args: readonly unknown[]) => {
      const { result } = await call('project.list', args);
      return (result as { name: string }[]).map(({ name }) => name);
    };
    const inOrder = { order_by: 'id', sort: 'asc', per_page: 2 };
    expect(await names(inOrder)).toEqual(['one', 'two']);
    expect(await names({ ...inOrder, page: 2 })).toEqual(['three']);
  });
});

describe('multiCall', () => {
  const multi = (...parts: readonly unknown[]) => soap.invoke('multiCall', session, ...parts);

  test('returns the outcomes in the order of the calls', async () => {
    const calls = [
      ['project.list', [{ per_page: 1, search: 'nothing like it' }]],
      ['nothing'],
      ['project.info', 'none/such'],
      [],
      'project.list',
      ['settings.info'],
    ];
    expect(await multi(calls, null)).toEqual({
      result: [
        [],
        asItem(invalidPath),
        asItem(notFound),
        asItem(invalidPath),
        asItem(invalidPath),
        asItem(denied),
      ],
    });
  });

  test.each([1, '1', true, 'true'])('break: %j stops at the first fault', async (stop) => {
    const calls = [['project.list', [{ search: 'no such' }]], ['nothing'], ['project.list']];
    expect(await multi(calls, { break: stop })).toEqual({ result: [[], asItem(invalidPath)] });
  });

  test.each([null, [], {}, { break: 0 }, { break: '0' }, 'break'])(
    'continues after faults with the options %j',
    async (options) => {
      const calls = [['nothing'], ['nothing']];
      const outcome = asItem(invalidPath);
      expect(await multi(calls, options)).toEqual({ result: [outcome, outcome] });
    },
  );

  test('accepts an empty list, and rejects other values and too many calls', async () => {
    expect(await multi([], null)).toEqual({ result: [] });
    expect(await multi(null)).toEqual({ result: [] });
    expect(await multi('project.list')).toMatchObject({ fault: { code: '6' } });
    const many = Array.from({ length: 1001 }, () => ['nothing']);
    expect(await multi(many)).toEqual(fault('SOAP-ENV:Client', 'Too many calls'));
  });

  test('is one fault without a session', async () => {
    expect(await soap.invoke('multiCall', 'nonsense', [], null)).toEqual(expired);
  });
});

describe('resources', () => {
  const namesFor = async (id: string) => {
    const { result } = await soap.invoke('resources', id);
    return (result as { name: string }[]).map(({ name }) => name);
  };

  test('lists resources and methods that the caller can use', async () => {
    const { result } = await soap.invoke('resources', session);
    const resources = result as { name: string; methods: { name: string }[] }[];
    const project = resources.find(({ name }) => name === 'project');
    expect(project).toMatchObject({
      title: 'Projects',
      description: null,
      name: 'project',
      aliases: [],
    });
    expect(project?.methods[0]).toEqual({
      title: 'List projects',
      description: null,
      path: 'project.list',
      name: 'list',
      aliases: [],
      parameters: expect.arrayContaining([
        { name: 'archived', type: 'boolean', required: false },
        { name: 'order_by', type: 'string', required: false },
        { name: 'per_page', type: 'integer', required: false },
      ]),
    });
    expect(project?.methods.find(({ name }) => name === 'share')).toMatchObject({
      parameters: [
        { name: 'id', type: 'string', required: true },
        { name: 'group_id', type: 'integer', required: true },
        { name: 'group_access', type: 'string', required: true },
        { name: 'expires_at', type: 'string', required: false },
      ],
    });
    expect(project?.methods.map(({ name }) => name)).not.toContain('create_for_user');
    for (const name of ['settings', 'impersonation_token', 'system_hook', 'custom_attribute']) {
      expect(await namesFor(session)).not.toContain(name);
      expect(await namesFor(rootSession)).toContain(name);
    }
    for (const name of ['group_custom_attribute', 'project_custom_attribute']) {
      expect(await namesFor(session)).not.toContain(name);
    }
  });

  test('lists no method that needs more rights than the caller has', async () => {
    const { result } = await soap.invoke('resources', session);
    const resources = result as { methods: { path: string }[] }[];
    const paths = resources.flatMap(({ methods }) => methods.map(({ path }) => path));
    const outcomes = await Promise.all(
      paths.map(async (path) => [path, await soap.invoke('call', session, path, [])] as const),
    );
    const denied = outcomes.filter(([, { fault }]) => fault?.code === '2');
    expect(denied).toEqual([]);
  });

  test('accepts aliases of a resource', async () => {
    const { result } = await soap.invoke('resources', rootSession);
    const resource = (result as { name: string }[]).find(({ name }) => name === 'settings');
    expect(resource).toMatchObject({
      aliases: ['application_settings'],
      methods: [
        { path: 'settings.info', aliases: ['application_settings.info'] },
        { path: 'settings.update', aliases: ['application_settings.update'] },
      ],
    });
    const settings = await soap.invoke('call', rootSession, 'application_settings.info');
    expect(settings).toEqual(await soap.invoke('call', rootSession, 'settings.info'));
    expect(await soap.invoke('resourceFaults', 'application_settings', rootSession)).toEqual(
      await soap.invoke('resourceFaults', 'settings', rootSession),
    );
  });

  test('needs a session', async () => {
    expect(await soap.invoke('resources', 'nonsense')).toEqual(expired);
  });
});

describe('globalFaults', () => {
  test('needs no session', async () => {
    expect(await soap.invoke('globalFaults', session)).toEqual({ result: faults });
    expect(await soap.invoke('globalFaults', null)).toEqual({ result: faults });
  });
});

describe('resourceFaults', () => {
  test('accepts the session and the name in either order', async () => {
    const expected = { result: projectFaults };
    expect(await soap.invoke('resourceFaults', 'project', session)).toEqual(expected);
    expect(await soap.invoke('resourceFaults', session, 'project')).toEqual(expected);
  });

  test('rejects unknown and forbidden resources, and an invalid session', async () => {
    expect(await soap.invoke('resourceFaults', 'nothing', session)).toEqual(invalidPath);
    expect(await soap.invoke('resourceFaults', session, null)).toEqual(invalidPath);
    expect(await soap.invoke('resourceFaults', 'settings', session)).toEqual(denied);
    expect(await soap.invoke('resourceFaults', 'project', 'nonsense')).toEqual(expired);
  });
});
