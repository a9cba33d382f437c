import { describe, expect, test } from 'vitest';
import { resources } from '../../soap-facade/resources/index.ts';
import type { TestUser } from '../support/seed.ts';
import { denied, projectNotFound, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, db, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve');
const gus = await seed.user('gus');
const ext = await seed.user('ext', { isExternal: true });
const acme = await seed.group('acme', { owner: [ada, bob] }, { visibility: 'private' });
const app = await seed.project('acme/app', { guest: gus }, { visibility: 'private' });
await seed.group('open', { owner: ada }, { visibility: 'internal' });
const wiki = await seed.project('open/wiki', {}, { visibility: 'internal' });
await seed.push('acme/app', { 'README.md': '# App\n' });
await seed.push('open/wiki', { 'README.md': '# Wiki\n' });

const tokenIn = ({ body }: { body: unknown }) => String((body as { token?: unknown }).token);

describe('login', () => {
  test('accepts no token of a runner, a trigger, a project or the instance', async () => {
    const registered = await db.applicationSettings.findFirstOrThrow();
    const settings = await as(root).get('/application/settings');
    expect(registered).toBeTruthy();
    const { runners_registration_token: instance } = settings.body as Record<string, unknown>;
    const { runners_token: project } = (await as(ada).get(`/projects/${app.id}`)).body as Record<
      string,
      unknown
    >;
    const runner = await as(null).post('/runners', { token: project });
    const trigger = await as(ada).post(`/projects/${app.id}/triggers`, { description: 'a' });
    for (const key of [instance, project, tokenIn(runner), tokenIn(trigger)]) {
      for (const name of ['ada', 'root']) {
        expect(await soap.invoke('login', name, String(key))).toEqual(denied);
      }
    }
  });

  test('accepts no expired, revoked or narrow token', async () => {
    const tokens = `/users/${ada.id}/impersonation_tokens`;
    for (const [scopes, changes] of [
      [['api'], { expiresAt: new Date(0) }],
      [['api'], { revokedAt: new Date() }],
      [['read_user'], {}],
      [['openid'], {}],
    ] as const) {
      const response = await as(root).post(tokens, { name: 'x', scopes });
      const { id, token } = response.body as { id: number; token: string };
      if (response.status !== 201) continue;
      await db.accessToken.update({ where: { id }, data: { kind: 'personal', ...changes } });
      expect(await soap.invoke('login', 'ada', token)).toEqual(denied);
    }
  });
});

describe('a session', () => {
  test('ignores other credentials of the request', async () => {
    const session = await soap.session(eve);
    const { text } = await soap.post('', { 'Private-Token': root.token });
    expect(text).toContain('Fault');
    const message = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
<c:call xmlns:c="urn:millrace"><sessionId>${session}</sessionId><path>project.info</path>
<args>acme/app</args></c:call></e:Body></e:Envelope>`;
    for (const headers of [
      { 'Private-Token': root.token },
      { Authorization: `Bearer ${root.token}` },
      { Sudo: 'root' },
    ]) {
      expect((await soap.post(message, headers)).outcome).toEqual(projectNotFound);
    }
  });

  test('loses in a multiCall what an earlier call took from the user', async () => {
    const session = await soap.session(bob);
    const calls = [
      ['project.info', ['acme/app']],
      ['group_member.delete', [acme.id, bob.id]],
      ['project.info', ['acme/app']],
    ];
    const { result } = await soap.invoke('multiCall', session, calls);
    expect(result).toEqual([
      expect.objectContaining({ path: 'app' }),
      expect.not.objectContaining({ isFault: true }),
      { isFault: true, faultCode: '102', faultMessage: 'Project Not Found' },
    ]);
  });

  test('of an administrator who ceases to be one makes no further call of administrators', async () => {
    const zoe = await seed.user('zoe', { isAdmin: true });
    const session = await soap.session(zoe);
    const calls = [
      ['system_hook.list', []],
      ['user.update', [zoe.id, { admin: false }]],
      ['system_hook.list', []],
    ];
    const { result } = await soap.invoke('multiCall', session, calls);
    expect(result).toMatchObject([[], { id: zoe.id }, { isFault: true, faultCode: '2' }]);
    expect(await soap.invoke('call', session, 'system_hook.list', [])).toMatchObject(denied);
  });
});

describe('each method refuses the users whom REST refuses', () => {
  const methods = resources.flatMap((resource) =>
    Object.entries(resource.methods).map(([name, [operation]]) => {
      const [verb = '', path = ''] = operation.split(' ');
      return { name: `${resource.name}.${name}`, verb, path };
    }),
  );
  const cases: [string, TestUser, { readonly id: number }][] = [
    ['an outsider', eve, app],
    ['a guest', gus, app],
    ['an external user', ext, wiki],
  ];

  test.each(cases)('%s', async (_name, user, project) => {
    const call = soap.as(user);
    const differing = [];
    for (const { name, verb, path } of methods) {
      const sample = (parameter: string) =>
        parameter === 'id' && /^\/(projects|groups)/.test(path)
          ? path.startsWith('/groups')
            ? acme.id
            : project.id
          : /path|branch|sha|ref|slug|key|name|tag/.test(parameter)
            ? 'master'
            : 1;
      const names = [...path.matchAll(/[:*](\w+)/g)].map(([, parameter = '']) => parameter);
      const response = await as(user).fetch(
        path.replace(/[:*](\w+)/g, (_match, parameter: string) => String(sample(parameter))),
        { method: verb },
      );
      await response.arrayBuffer();
      const { fault } = await call(name, names.map(sample));
      const isRefused = [401, 403, 404].includes(response.status);
      if (isRefused !== ['2', '102'].includes(fault?.code ?? '')) {
        differing.push({ name, status: response.status, fault });
      }
    }
    expect(differing).toEqual([]);
    expect(methods.length).toBeGreaterThan(300);
  });
});
