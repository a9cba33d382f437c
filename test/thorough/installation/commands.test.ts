import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { commandsOf } from '../../support/commands.ts';
import { cloneDatabase } from '../../support/database.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, url, db, databaseUrl, dataFolder } = await world();
const { run, json } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });

const signIn = async (login: string, password: string) =>
  (
    await fetch(`${url}/api/v4/session`, {
      method: 'POST',
      body: new URLSearchParams({ login, password }),
    })
  ).status;

describe('millrace user, while the server runs', () => {
  test('set-password sets the password of an administrator who lost it', async () => {
    const chief = await seed.user('chief', { isAdmin: true, isEmailVerified: true });
    const { password } = (await json(['user', 'set-password', 'chief'])) as { password: string };
    expect(await signIn('chief', chief.password)).toBe(401);
    expect(await signIn('chief', password)).toBe(201);
    const read = await json(['user', 'set-password', chief.email, '--stdin'], 'a third password\n');
    expect(read).toEqual({ username: 'chief' });
    expect(await signIn('chief', 'a third password')).toBe(201);
  });

  test('set-admin makes an administrator, and a usual user again', async () => {
    const ada = await seed.user('ada');
    expect((await as(ada).get('/application/settings')).status).toBe(403);
    expect(await json(['user', 'set-admin', 'ADA'])).toMatchObject({
      username: 'ada',
      admin: true,
    });
    await expect.poll(() => as(ada).get('/application/settings')).toMatchObject({ status: 200 });
    expect(await json(['user', 'set-admin', 'ada', '--remove'])).toMatchObject({ admin: false });
    await expect.poll(() => as(ada).get('/application/settings')).toMatchObject({ status: 403 });
  });

  test('block and unblock take effect at once', async () => {
    const bob = await seed.user('bob');
    expect(await json(['user', 'block', 'bob'])).toMatchObject({ state: 'blocked' });
    await expect.poll(() => as(bob).get('/user')).not.toMatchObject({ status: 200 });
    expect(await json(['user', 'unblock', 'bob'])).toMatchObject({ state: 'active' });
    await expect.poll(() => as(bob).get('/user')).toMatchObject({ status: 200 });
  });

  test('disable-two-factor removes a lost second factor', async () => {
    const eve = await seed.user('eve');
    await db.twoFactor.create({
      data: { userId: eve.id, sealedSecret: 'lost', confirmedAt: new Date() },
    });
    await db.user.update({ where: { id: eve.id }, data: { isTwoFactorEnabled: true } });
    expect(await json(['user', 'disable-two-factor', 'eve'])).toMatchObject({ two_factor: false });
    expect(await db.twoFactor.count({ where: { userId: eve.id } })).toBe(0);
    const again = await run(['user', 'disable-two-factor', 'eve']);
    expect(again).toEqual({ code: 1, stdout: '', stderr: 'Two-factor authentication is off\n' });
  });

  test('create and token give a user who can sign in', async () => {
    const address = ['--email', 'mia@example.com', '--name', 'Mia Bell'];
    const created = await json(['user', 'create', 'mia', ...address]);
    expect(created).toMatchObject({ name: 'Mia Bell', admin: false, password: expect.any(String) });
    expect(await signIn('mia', (created as { password: string }).password)).toBe(201);
    const given = await json(['user', 'token', 'mia', '--scopes', 'read_user', '--name', 'phone']);
    const { token } = given as { token: string };
    const response = await as(null).fetch('/user', { headers: { 'Private-Token': token } });
    expect(await response.json()).toMatchObject({ username: 'mia' });
  });

  test('list finds users, and prints no control characters', async () => {
    await db.user.update({
      where: { id: (await seed.user('liz')).id },
      data: { name: 'Liz\u001b[31m' },
    });
    const { stdout } = await run(['user', 'list', '--search', 'LIZ']);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^ID +USERNAME +NAME +EMAIL/),
      expect.stringContaining('Liz [31m'),
      '',
    ]);
    expect(await json(['user', 'list', '--admins'])).toContainEqual(
      expect.objectContaining({ username: root.username }),
    );
  });

  test.each([
    ['an unknown user', ['user', 'show', 'nobody'], 'There is no user nobody.\n'],
    ['a short password', ['user', 'set-password', 'root', '--stdin'], 'password is too short'],
    ['an unknown scope', ['user', 'token', 'root', '--scopes', 'all'], 'scopes can only contain'],
  ])('exits with 1 for %s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(args, 'short\n');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });
});

describe('millrace settings', () => {
  test('set changes the settings of the running server', async () => {
    const change = [
      'signup_enabled=false',
      'domain_whitelist=a.example,b.example',
      'sign_in_text=',
    ];
    expect(await json(['settings', 'set', ...change])).toEqual({
      signup_enabled: false,
      domain_whitelist: ['a.example', 'b.example'],
      sign_in_text: null,
    });
    await expect
      .poll(() => as(root).get('/application/settings'))
      .toMatchObject({
        body: { signup_enabled: false, domain_whitelist: ['a.example', 'b.example'] },
      });
    expect(await json(['settings', 'get', 'signup_enabled'])).toEqual({ signup_enabled: false });
  });

  test('get shows each setting that REST shows', async () => {
    const { body } = await as(root).get('/application/settings');
    const names = Object.keys((await json(['settings', 'get'])) as object);
    expect(Object.keys(body as object)).toEqual(expect.arrayContaining(names));
  });

  test.each([
    ['an unknown setting', 'colour=red', 'colour=red: give the name of a setting'],
    [
      'a value of another type',
      'default_projects_limit=many',
      'default_projects_limit: Int cannot',
    ],
    ['a value out of range', 'default_branch_protection=9', 'default_branch_protection'],
  ])('set exits with 1 for %s', async (_, pair, message) => {
    const { code, stderr } = await run(['settings', 'set', pair]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

test('millrace job lists failed background jobs and runs one again', async () => {
  const { id: projectId } = await seed.project('root/app', {});
  const { id } = await db.deadLetter.create({
    data: {
      ...{ jobId: randomUUID(), kind: 'refresh-statistics', payload: { projectId }, projectId },
      ...{ attempts: 13, error: 'the disk is full', isFatal: false, enqueuedAt: new Date() },
    },
  });
  expect(await json(['job', 'failed'])).toMatchObject([{ id, error: 'the disk is full' }]);
  expect(await json(['job', 'retry', String(id)])).toEqual({ id, state: 'queued' });
  const unfinished = async () => {
    const [row] = await db.$queryRaw<[{ count: number }]>`
      SELECT count(*)::int FROM pgboss.job
      WHERE name = 'refresh-statistics' AND data->>'projectId' = ${String(projectId)}
        AND state < 'completed'`;
    return row.count;
  };
  await expect.poll(unfinished).toBe(0);
  expect(await json(['job', 'failed'])).toEqual([]);
});

test('millrace runner prints the registration token and the runners', async () => {
  const { token } = (await json(['runner', 'token'])) as { token: string };
  const { status } = await as(null).post('/runners', { token, description: 'laptop' });
  expect(status).toBe(201);
  expect(await json(['runner', 'list'])).toMatchObject([{ description: 'laptop', shared: true }]);
});

describe('millrace', () => {
  test('exits with 2 for an unknown command, option or value', async () => {
    for (const args of [
      ['frobnicate'],
      ['user', 'list', '--all'],
      ['user', 'list', '--limit', '0'],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: /);
    }
  });

  test('describes each command with --help', async () => {
    for (const args of [['--help'], ['user', '--help'], ['user', 'token', '--help']]) {
      const { code, stdout } = await run(args);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: millrace')]);
    }
  });

  test('uses a database only when its migrations are applied', async () => {
    const empty = await cloneDatabase(databaseUrl, 'template0');
    const commands = commandsOf({ DATABASE_URL: empty.url, MILLRACE_DATA: dataFolder });
    const { code, stderr } = await commands.run(['user', 'list']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('millrace migrate run')]);
    const before = (await commands.json(['migrate', 'status'])) as { pending: string[] };
    expect(await commands.json(['migrate', 'run'])).toEqual({ applied: before.pending });
    expect(await commands.json(['migrate', 'status'])).toEqual({ pending: [] });
    expect(await commands.json(['user', 'list'])).toEqual([]);
    const first = await commands.run(['user', 'create', 'ada', '--email', 'ada@example.com']);
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('Start the server')]);
    await empty.drop();
  });
});
