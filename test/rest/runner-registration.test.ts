import { describe, expect, test } from 'vitest';
import { touchRunner } from '../../schema/runners/touch.ts';
import { runnerInfo as info, runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, root, url } = testWorld;
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: project } = await seed.project('ada/app', { developer: bob });

const hex = expect.stringMatching(/^[0-9a-f]{30}$/);
const registered = { status: 201, body: { id: expect.any(Number), token: hex } };

async function runQuery(token: string | null, query: string, variables: object = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { 'Private-Token': token }) },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

const stored = async ({ body }: { readonly body: unknown }) =>
  db.runner.findUniqueOrThrow({
    where: { id: (body as { id: number }).id },
    include: { projects: { select: { projectId: true } } },
  });

describe('POST /runners', () => {
  test('the token of the instance registers a shared runner', async () => {
    const response = await as(null).post('/runners', { token: await runners.sharedToken() });
    expect(response).toEqual(registered);
    expect(await stored(response)).toMatchObject({
      isShared: true,
      isActive: true,
      isLocked: false,
      runsUntagged: true,
      access: 'not_protected',
      description: null,
      tags: [],
      contactedAt: null,
      projects: [],
    });
  });

  test('the token of a project registers a specific runner with the given settings', async () => {
    const input = {
      token: await runners.projectToken(project),
      description: 'builder 1',
      info: { ...info, executor: 'shell', features: { variables: true, trace: null } },
      locked: true,
      run_untagged: false,
      tag_list: 'ruby, docker,ruby,',
      access_level: 'ref_protected',
      paused: true,
      maximum_timeout: 3600,
    };
    const response = await as(null).post('/runners', input);
    expect(response).toEqual(registered);
    expect(await stored(response)).toMatchObject({
      ...info,
      isShared: false,
      isActive: false,
      isLocked: true,
      runsUntagged: false,
      access: 'ref_protected',
      description: 'builder 1',
      tags: ['ruby', 'docker'],
      projects: [{ projectId: project }],
    });
  });

  test('a form is equivalent to JSON', async () => {
    const token = await runners.projectToken(project);
    const response = await as(null).fetch('/runners', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `token=${token}&info[name]=mine&tag_list[]=a&tag_list[]=b&locked=true`,
    });
    const registration = { status: response.status, body: await response.json() };
    expect(registration).toEqual(registered);
    expect(await stored(registration)).toMatchObject({
      name: 'mine',
      tags: ['a', 'b'],
      isLocked: true,
    });
  });

  test('the runner token is stored encrypted, with a digest', async () => {
    const response = await as(null).post('/runners', {
      token: await runners.projectToken(project),
    });
    const row = await stored(response);
    const { token } = response.body as { token: string };
    const text = JSON.stringify(row) + Buffer.from(row.tokenDigest).toString('latin1');
    expect(text).not.toContain(token);
    expect(row.tokenSealed).toMatch(/^[0-9a-f]{8}:[\w-]{40,}$/);
  });

  test('any other token gives 403', async () => {
    const deletedProject = await seed.project('ada/deleted');
    const deletedToken = await runners.projectToken(deletedProject.id);
    await as(ada).delete(`/projects/${deletedProject.id}`);
    const own = await runners.specific([project]);
    for (const token of ['', 'x', 'x'.repeat(5000), deletedToken, own.token, ada.token]) {
      expect(await as(null).post('/runners', { token })).toEqual(refused.forbidden);
    }
  });

  test('rejects a runner without tags that runs no untagged jobs', async () => {
    const before = await db.runner.count();
    const token = await runners.projectToken(project);
    for (const tag_list of [undefined, '', []]) {
      expect(await as(null).post('/runners', { token, run_untagged: false, tag_list })).toEqual({
        status: 404,
        body: { message: '404 Not Found' },
      });
    }
    expect(await db.runner.count()).toBe(before);
  });

  test('rejects missing and invalid parameters', async () => {
    const token = await runners.projectToken(project);
    expect(await as(null).post('/runners')).toEqual(refused.parameter('token is missing'));
    const odd = { token, locked: 'perhaps', run_untagged: 2, info: 'x', access_level: 'all' };
    expect(await as(null).post('/runners', odd)).toEqual(
      refused.parameter(
        'info is invalid, locked is invalid, run_untagged is invalid, access_level does not have a valid value',
      ),
    );
    expect(await as(null).post('/runners', { token, description: 'x'.repeat(256) })).toEqual(
      refused.invalid({ description: ['is too long (maximum is 255 characters)'] }),
    );
    const tag_list = Array.from({ length: 101 }, (_, n) => `tag ${n}`);
    expect(await as(null).post('/runners', { token, tag_list })).toEqual(
      refused.invalid({ tag_list: ['is too long (maximum is 100 tags)'] }),
    );
  });

  test('truncates values of info that are too long', async () => {
    const token = await runners.projectToken(project);
    const response = await as(null).post('/runners', {
      token,
      info: { name: `${'x'.repeat(254)}😀`, version: 10, revision: null },
    });
    expect(await stored(response)).toMatchObject({
      name: `${'x'.repeat(254)}\ufffd`,
      version: '10',
      revision: null,
    });
  });
});

describe('POST /runners/verify', () => {
  test('accepts the token of a runner; any other token gives 403', async () => {
    const { id, token } = await runners.specific([project]);
    expect(await as(null).post('/runners/verify', { token })).toEqual({ status: 200, body: 200 });
    for (const other of ['x', await runners.sharedToken(), '']) {
      expect(await as(null).post('/runners/verify', { token: other })).toEqual(refused.forbidden);
    }
    expect(await as(null).post('/runners/verify')).toEqual(refused.parameter('token is missing'));
    await as(ada).delete(`/runners/${id}`);
    expect(await as(null).post('/runners/verify', { token })).toEqual(refused.forbidden);
  });

  test('accepts the token of a paused runner', async () => {
    const { token } = await runners.specific([project], { active: false });
    expect((await as(null).post('/runners/verify', { token })).status).toBe(200);
  });
});

describe('DELETE /runners', () => {
  const unregister = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await as(null).fetch('/runners', {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };

  test('a runner removes itself once', async () => {
    const { id, token } = await runners.shared();
    expect(await unregister({ token })).toEqual({ status: 204, body: null });
    expect(await db.runner.count({ where: { id } })).toBe(0);
    expect(await unregister({ token })).toEqual(refused.forbidden);
    expect(await unregister({})).toEqual(refused.parameter('token is missing'));
  });

  test('accepts the token in the query', async () => {
    const { id, token } = await runners.specific([project]);
    expect(await as(null).delete(`/runners?token=${token}`)).toEqual({ status: 204, body: null });
    expect(await db.runner.count({ where: { id } })).toBe(0);
  });

  test('one of twenty concurrent requests succeeds', async () => {
    const { token } = await runners.specific([project]);
    const responses = await Promise.all(Array.from({ length: 20 }, () => unregister({ token })));
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 204)).toEqual(
      Array(19).fill(refused.forbidden),
    );
  });

  test('If-Unmodified-Since keeps a runner that was changed later', async () => {
    const { token } = await runners.specific([project]);
    expect(await unregister({ token }, { 'If-Unmodified-Since': '2017-01-01T00:00:00Z' })).toEqual({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect((await as(null).post('/runners/verify', { token })).status).toBe(200);
  });
});

describe('registration tokens', () => {
  const reset = `mutation ($project: ID) {
    resetRunnersToken(input: { projectId: $project }) { runnersToken }
  }`;
  const resetBy = async (token: string, variables: object = {}) => {
    const { data } = (await runQuery(token, reset, variables)) as {
      data: { resetRunnersToken: { runnersToken: string } };
    };
    return data.resetRunnersToken.runnersToken;
  };
  const refusals = (...messages: readonly string[]) =>
    expect.objectContaining({
      errors: messages.map((message) => expect.objectContaining({ message })),
    });

  test('the token of the instance is created at the first start and stored encrypted', async () => {
    const token = await runners.sharedToken();
    expect(token).toMatch(/^[\w-]{20}$/);
    const { runnersTokenSealed } = await db.applicationSettings.findUniqueOrThrow({
      where: { id: 1 },
    });
    expect(runnersTokenSealed).toMatch(/^[0-9a-f]{8}:/);
    expect(runnersTokenSealed).not.toContain(token);
  });

  test('an administrator resets the token of the instance, which invalidates the old one', async () => {
    const before = await runners.sharedToken();
    const runner = await runners.shared();
    const token = await resetBy(root.token);
    expect(token).toMatch(/^[\w-]{20}$/);
    expect(await runners.sharedToken()).toBe(token);
    expect(await as(null).post('/runners', { token: before })).toEqual(refused.forbidden);
    expect(await as(null).post('/runners', { token })).toEqual(registered);
    expect((await as(null).post('/runners/verify', { token: runner.token })).status).toBe(200);
  });

  test('a master resets the token of a project', async () => {
    const before = await runners.projectToken(project);
    const token = await resetBy(ada.token, { project });
    expect(await runners.projectToken(project)).toBe(token);
    expect(await as(null).post('/runners', { token: before })).toEqual(refused.forbidden);
    expect(await as(null).post('/runners', { token })).toEqual(registered);
  });

  test('other users can neither reset tokens nor see the token of the instance', async () => {
    const shown = '{ admin { applicationSettings { runnersToken } } }';
    expect(await runQuery(ada.token, reset)).toEqual(refusals('Forbidden'));
    expect(await runQuery(bob.token, reset, { project })).toEqual(refusals('Forbidden'));
    expect(await runQuery(null, reset)).toEqual(refusals('Unauthorized'));
    expect(await runQuery(null, reset, { project })).toEqual(refusals('Unauthorized'));
    for (const token of [ada.token, null]) {
      expect(await runQuery(token, shown)).toMatchObject({ data: { admin: null } });
    }
  });
});

describe('contact of a runner', () => {
  const findRunner = (id: number) => db.runner.findUniqueOrThrow({ where: { id } });

  test('is stored once a minute, with the info of the runner', async () => {
    const { id } = await runners.specific([project], { info: { name: 'old', version: '1' } });
    const fresh = await findRunner(id);
    expect(fresh.contactedAt).toBeNull();
    const contactedAt = await touchRunner(fresh, { ...info, version: null }, db);
    const first = await findRunner(id);
    expect(first).toEqual({
      ...fresh,
      ...info,
      version: '1',
      contactedAt: contactedAt,
      updatedAt: fresh.updatedAt,
    });
    expect(await touchRunner(first, { name: 'other' }, db)).toEqual(contactedAt);
    await touchRunner(fresh, { name: 'other' }, db);
    expect(await findRunner(id)).toEqual(first);
  });

  test('is stored again after a minute', async () => {
    const { id } = await runners.specific([project]);
    const minuteAgo = new Date(Date.now() - 60_000);
    await db.runner.update({ where: { id }, data: { contactedAt: minuteAgo } });
    const contactedAt = await touchRunner(await findRunner(id), {}, db);
    expect(contactedAt?.getTime()).toBeGreaterThan(minuteAgo.getTime());
    expect((await findRunner(id)).contactedAt).toEqual(contactedAt);
  });
});
