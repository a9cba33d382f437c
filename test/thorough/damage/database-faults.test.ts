import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableChecks } from '../../../server/checks/tables.ts';
import { damagePage, ordinaryAccount } from '../../support/failing-database.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/git.ts';
import { takeErrors } from '../../support/logged-secrets.ts';
import { gitWith, sshKeyPair } from '../../support/ssh.ts';
import { visitorAt } from '../../support/visitor.ts';
import { world } from '../../support/world.ts';

/*
 * What PostgreSQL reports about itself is an outage, whatever its code; what it reports about a statement is a defect
 * of the service, unless a rule explains it.
 */

const sshPort = await freePort();
let account = null as Awaited<ReturnType<typeof ordinaryAccount>> | null;
const { as, seed, url, db, databaseUrl } = await world({
  databaseUrlOf: async (direct) => {
    account = await ordinaryAccount(direct);
    return account.url;
  },
  variables: { MILLRACE_SSH_PORT: String(sshPort) },
  limits: { database: { waitLimit: 1_000 } },
});
const folder = await temporaryFolder();
afterAll(async () => {
  await account?.drop();
  await rm(folder, { recursive: true, force: true });
});
const ada = await seed.user('ada');
const { id } = await seed.project('ada/app', {}, { visibility: 'public' });
const labels = `/projects/${id}/labels`;
const visitor = visitorAt(url);
await visitor.signIn(ada);

// a label whose name is an SQLSTATE cannot be stored, for the reason that the code stands for
beforeAll(async () => {
  await db.$executeRawUnsafe(`CREATE FUNCTION raise_state() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.name ~ '^[0-9A-Z]{5}$' THEN RAISE EXCEPTION 'a fault' USING ERRCODE = NEW.name; END IF;
      RETURN NEW;
    END $$`);
  await db.$executeRawUnsafe(`CREATE TRIGGER raise_state BEFORE INSERT ON labels
    FOR EACH ROW EXECUTE FUNCTION raise_state()`);
});

const answerOf = async (response: Response) => ({
  status: response.status,
  wait: response.headers.get('Retry-After'),
  body: await response.json(),
});

const addLabel = async (name: string) =>
  answerOf(
    await as(ada).fetch(labels, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, color: '#112233' }),
    }),
  );

const unavailable = (wait: string, text: string) => ({
  status: 503,
  wait,
  body: { message: `503 ${text}` },
});
const unreachable = unavailable('10', 'The database is not available');
const busy = unavailable('10', 'The database is busy');
const failed = unavailable('60', 'The database cannot process the request');
const readOnly = unavailable('10', 'The service is read-only at the moment');
const defect = { status: 500, wait: null, body: { message: '500 Internal Server Error' } };

test.each([
  // a connection, an account, a database
  ...['08000', '08006', '08P01', '28000', '28P01', '3D000', '25P03'].map((s) => [s, unreachable]),
  // memory, connections, files, a limit of the configuration
  ...['53000', '53200', '53300', '53400'].map((s) => [s, unreachable]),
  // stopping, starting, canceled
  ...['57000', '57P01', '57P02', '57P03', '57P05'].map((s) => [s, unreachable]),
  ['57014', unavailable('60', 'The request takes the database too long')],
  ['53100', { status: 507, wait: '60', body: { message: '507 Insufficient Storage' } }],
  ['25006', readOnly],
  // lost against concurrent transactions, each time
  ...['40001', '40P01', '40000', '55006', '55P03'].map((s) => [s, busy]),
  // limits, no permission, I/O errors, missing files, damage, internal errors, a damaged configuration
  ...['54000', '54001', '42501', '58000', '58030', '58P01', 'F0000'].map((s) => [s, failed]),
  ...['XX000', 'XX001', 'XX002', '0A000', '26000', '55000', '72000', 'HV000'].map((s) => [
    s,
    failed,
  ]),
] as [string, object][])('SQLSTATE %s is an outage', async (state, expected) => {
  expect(await addLabel(state)).toEqual(expected);
});

test.each(['42P01', '42703', '42601', '22012', '22P02', '23514', '21000', 'P0001', '25001'])(
  'SQLSTATE %s is a defect of the service',
  async (state) => {
    takeErrors();
    expect(await addLabel(state)).toEqual(defect);
    expect(takeErrors().join()).toContain('request failed');
  },
);

test('a constraint that a rule explains keeps its explanation', async () => {
  expect((await addLabel('bug')).status).toBe(201);
  expect((await addLabel('bug')).status).toBe(409);
});

test('too many connections of the account are an outage until there are fewer', async () => {
  const key = await sshKeyPair(folder);
  await as(ada).post('/user/keys', { title: 'laptop', key: key.publicKey });
  const listed = () =>
    gitWith(key, folder, 'ls-remote', `ssh://git@localhost:${sshPort}/ada/app.git`);
  await account?.limit(0);
  expect((await as(ada).get(labels)).body).toEqual(unreachable.body);
  expect((await fetch(`${url}/-/readiness`)).status).toBe(503);
  // the key is right
  const { code, stderr } = await listed();
  expect(code).not.toBe(0);
  expect(stderr).not.toContain('Permission denied');
  await account?.limit(-1);
  await expect.poll(async () => (await as(ada).get(labels)).status).toBe(200);
  await expect.poll(async () => (await listed()).code).toBe(0);
});

describe('a page of a table that cannot be read', () => {
  let mend = async () => {};
  beforeAll(async () => {
    takeErrors();
    mend = await damagePage(databaseUrl, 'labels');
  });

  test('is an outage of what reads it', async () => {
    expect(await answerOf(await as(ada).fetch(labels))).toEqual(failed);
    const page = await visitor.get('/ada/app/labels');
    expect(page.status).toBe(503);
    expect(page.text).toContain('The database cannot process the request');
  });

  test('is named in the log by its table', async () => {
    expect((await as(ada).get(labels)).status).toBe(503);
    await expect.poll(() => takeErrors().join()).toContain('"relation":"labels"');
    expect((await as(ada).get(labels)).status).toBe(503);
    expect(takeErrors().join()).toContain('"sqlError":"XX001"');
  });

  test('is named by doctor', async () => {
    const findings = [];
    for (const { run } of tableChecks(databaseUrl))
      for await (const each of run()) findings.push(each);
    expect(findings).toMatchObject([
      { level: 'error', problem: expect.stringContaining('the table labels cannot be read: ') },
    ]);
  });

  test.each([
    '/projects',
    `/projects/${id}`,
    `/projects/${id}/issues`,
    `/projects/${id}/milestones`,
    '/users',
  ])('does not affect %s', async (path) => {
    expect((await as(ada).get(path)).status).toBe(200);
  });

  test('does not affect the page of the project, nor readiness', async () => {
    expect((await visitorAt(url).get('/ada/app')).status).toBe(200);
    expect((await fetch(`${url}/-/readiness`)).status).toBe(200);
  });

  test('is read again after it was mended', async () => {
    await mend();
    expect((await as(ada).get(labels)).status).toBe(200);
  });
});
