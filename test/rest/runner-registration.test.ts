import { describe, expect, test } from 'vitest';
import { touchRunner } from '../../schema/runners/touch.ts';
import { runnerInfo as info, runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const served = await world();
const { as, seed, db, root, url } = served;
const runners = runnersOf(served);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: project } = await seed.project('ada/app', { developer: bob });

const hex = expect.stringMatching(/^[0-9a-f]{30}$/);
const made = { status: 201, body: { id: expect.any(Number), token: hex } };

async function asked(token: string | null, query: string, variables: object = {}) {
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
  test('the token of the instance makes a shared runner', async () => {
    const answer = await as(null).post('/runners', { token: await runners.sharedToken() });
    expect(answer).toEqual(made);
    expect(await stored(answer)).toMatchObject({
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

  test("the token of a project makes one of the project's, as it was told", async () => {
    const given = {
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
    const answer = await as(null).post('/runners', given);
    expect(answer).toEqual(made);
    expect(await stored(answer)).toMatchObject({
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

  test('a form says the same', async () => {
    const token = await runners.projectToken(project);
    const response = await as(null).fetch('/runners', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `token=${token}&info[name]=mine&tag_list[]=a&tag_list[]=b&locked=true`,
    });
    const answer = { status: response.status, body: await response.json() };
    expect(answer).toEqual(made);
    expect(await stored(answer)).toMatchObject({ name: 'mine', tags: ['a', 'b'], isLocked: true });
  });

  test('its token is kept so that only this instance reads it', async () => {
    const answer = await as(null).post('/runners', { token: await runners.projectToken(project) });
    const row = await stored(answer);
    const { token } = answer.body as { token: string };
    const text = JSON.stringify(row) + Buffer.from(row.tokenDigest).toString('latin1');
    expect(text).not.toContain(token);
    expect(row.tokenSealed).toMatch(/^[0-9a-f]{8}:[\w-]{40,}$/);
  });

  test('any other token is forbidden', async () => {
    const gone = await seed.project('ada/gone');
    const goneToken = await runners.projectToken(gone.id);
    await as(ada).delete(`/projects/${gone.id}`);
    const own = await runners.specific([project]);
    for (const token of ['', 'x', 'x'.repeat(5000), goneToken, own.token, ada.token]) {
      expect(await as(null).post('/runners', { token })).toEqual(refused.forbidden);
    }
  });

  test('one that would take no job at all is not made', async () => {
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

  test('what is missing or does not fit is told', async () => {
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

  test('words of its own that go on too long are cut', async () => {
    const token = await runners.projectToken(project);
    const answer = await as(null).post('/runners', {
      token,
      info: { name: `${'x'.repeat(254)}😀`, version: 10, revision: null },
    });
    expect(await stored(answer)).toMatchObject({
      name: `${'x'.repeat(254)}\ufffd`,
      version: '10',
      revision: null,
    });
  });
});

describe('POST /runners/verify', () => {
  test('a runner that is there is told so, any other is forbidden', async () => {
    const { id, token } = await runners.specific([project]);
    expect(await as(null).post('/runners/verify', { token })).toEqual({ status: 200, body: 200 });
    for (const other of ['x', await runners.sharedToken(), '']) {
      expect(await as(null).post('/runners/verify', { token: other })).toEqual(refused.forbidden);
    }
    expect(await as(null).post('/runners/verify')).toEqual(refused.parameter('token is missing'));
    await as(ada).delete(`/runners/${id}`);
    expect(await as(null).post('/runners/verify', { token })).toEqual(refused.forbidden);
  });

  test('a paused one is still there', async () => {
    const { token } = await runners.specific([project], { active: false });
    expect((await as(null).post('/runners/verify', { token })).status).toBe(200);
  });
});

describe('DELETE /runners', () => {
  const removal = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await as(null).fetch('/runners', {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };

  test('a runner removes itself, once', async () => {
    const { id, token } = await runners.shared();
    expect(await removal({ token })).toEqual({ status: 204, body: null });
    expect(await db.runner.count({ where: { id } })).toBe(0);
    expect(await removal({ token })).toEqual(refused.forbidden);
    expect(await removal({})).toEqual(refused.parameter('token is missing'));
  });

  test('the query names it as well', async () => {
    const { id, token } = await runners.specific([project]);
    expect(await as(null).delete(`/runners?token=${token}`)).toEqual({ status: 204, body: null });
    expect(await db.runner.count({ where: { id } })).toBe(0);
  });

  test('of twenty at once one does', async () => {
    const { token } = await runners.specific([project]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => removal({ token })));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 204)).toEqual(
      Array(19).fill(refused.forbidden),
    );
  });

  test('one that was changed since stays', async () => {
    const { token } = await runners.specific([project]);
    expect(await removal({ token }, { 'If-Unmodified-Since': '2017-01-01T00:00:00Z' })).toEqual({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect((await as(null).post('/runners/verify', { token })).status).toBe(200);
  });
});

describe('the tokens that register runners', () => {
  const reset = 'mutation ($project: ID) { resetRunnersToken(project: $project) }';
  const refusals = (...messages: readonly string[]) =>
    expect.objectContaining({
      errors: messages.map((message) => expect.objectContaining({ message })),
    });

  test('the one of the instance is made at the first start and kept sealed', async () => {
    const token = await runners.sharedToken();
    expect(token).toMatch(/^[\w-]{20}$/);
    const { runnersTokenSealed } = await db.applicationSettings.findUniqueOrThrow({
      where: { id: 1 },
    });
    expect(runnersTokenSealed).toMatch(/^[0-9a-f]{8}:/);
    expect(runnersTokenSealed).not.toContain(token);
  });

  test('an administrator makes a new one, and the old one is worth nothing', async () => {
    const before = await runners.sharedToken();
    const runner = await runners.shared();
    const { data } = (await asked(root.token, reset)) as { data: { resetRunnersToken: string } };
    expect(data.resetRunnersToken).toMatch(/^[\w-]{20}$/);
    expect(await runners.sharedToken()).toBe(data.resetRunnersToken);
    expect(await as(null).post('/runners', { token: before })).toEqual(refused.forbidden);
    expect(await as(null).post('/runners', { token: data.resetRunnersToken })).toEqual(made);
    expect((await as(null).post('/runners/verify', { token: runner.token })).status).toBe(200);
  });

  test('a master makes a new one of a project', async () => {
    const before = await runners.projectToken(project);
    const { data } = (await asked(ada.token, reset, { project })) as {
      data: { resetRunnersToken: string };
    };
    expect(await runners.projectToken(project)).toBe(data.resetRunnersToken);
    expect(await as(null).post('/runners', { token: before })).toEqual(refused.forbidden);
    expect(await as(null).post('/runners', { token: data.resetRunnersToken })).toEqual(made);
  });

  test('nobody else does, or sees the one of the instance', async () => {
    const shown = '{ applicationSettings { runnersToken } }';
    expect(await asked(ada.token, reset)).toEqual(refusals('Forbidden'));
    expect(await asked(bob.token, reset, { project })).toEqual(refusals('Forbidden'));
    expect(await asked(null, reset)).toEqual(refusals('Unauthorized'));
    expect(await asked(null, reset, { project })).toEqual(refusals('Unauthorized'));
    expect(await asked(ada.token, shown)).toEqual(refusals('Forbidden'));
    expect(await asked(null, shown)).toEqual(refusals('Unauthorized'));
  });
});

describe('a runner that is heard of', () => {
  const seen = (id: number) => db.runner.findUniqueOrThrow({ where: { id } });

  test('is noted once, with what it says of itself', async () => {
    const { id } = await runners.specific([project], { info: { name: 'old', version: '1' } });
    const fresh = await seen(id);
    expect(fresh.contactedAt).toBeNull();
    const noted = await touchRunner(fresh, { ...info, version: null }, db);
    const first = await seen(id);
    expect(first).toEqual({
      ...fresh,
      ...info,
      version: '1',
      contactedAt: noted,
      updatedAt: fresh.updatedAt,
    });
    expect(await touchRunner(first, { name: 'other' }, db)).toEqual(noted);
    await touchRunner(fresh, { name: 'other' }, db);
    expect(await seen(id)).toEqual(first);
  });

  test('is noted again after a minute', async () => {
    const { id } = await runners.specific([project]);
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await db.runner.update({ where: { id }, data: { contactedAt: aMinuteAgo } });
    const noted = await touchRunner(await seen(id), {}, db);
    expect(noted?.getTime()).toBeGreaterThan(aMinuteAgo.getTime());
    expect((await seen(id)).contactedAt).toEqual(noted);
  });
});
