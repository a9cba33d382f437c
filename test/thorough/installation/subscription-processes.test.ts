import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { cloneDatabase } from '../../support/database.ts';
import { subscriberAt } from '../../support/event-stream.ts';
import { freePort } from '../../support/free-port.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';
import { runnerClient } from '../../support/runner-client.ts';

let first: ServerProcess;
let second: ServerProcess;
let drop: () => Promise<void>;
let dataFolder: string;
let ports: readonly [number, number];
let variables: Readonly<Record<string, string>>;
let project: number;
let issue: { readonly id: number; readonly iid: number };
const headers = { 'Private-Token': rootToken };

beforeAll(async () => {
  const database = await cloneDatabase(inject('databaseUrl'));
  drop = database.drop;
  dataFolder = await mkdtemp(join(tmpdir(), 'millrace-events-'));
  ports = [await freePort(), await freePort()];
  variables = { DATABASE_URL: database.url, MILLRACE_DATA: dataFolder };
  [first, second] = await Promise.all([
    startProcess(ports[0], variables),
    startProcess(ports[1], variables),
  ]);
  const api = clientOf(first.url, rootToken);
  const created = await api.post('/projects', { path: 'app', visibility: 'public' });
  project = (created.body as { id: number }).id;
  const { body } = await api.post(`/projects/${project}/issues`, { title: 'One' });
  issue = body as typeof issue;
});

afterAll(async () => {
  await Promise.all([first, second].map((server) => server.kill('SIGKILL')));
  await drop();
  await rm(dataFolder, { recursive: true, force: true });
});

const subscribers = new Map<string, ReturnType<typeof subscriberAt>>();
const subscriberOf = ({ url }: ServerProcess) => {
  const existing = subscribers.get(url) ?? subscriberAt(url);
  subscribers.set(url, existing);
  return existing;
};

const followNotes = (server: ServerProcess, token = headers) =>
  subscriberOf(server)(
    `subscription { noteChanged(noteableId: "Issue:${issue.id}") {
      note { body } } }`,
    { headers: token },
  );
const write = (server: ServerProcess, body: string) =>
  clientOf(server.url, rootToken).post(`/projects/${project}/issues/${issue.iid}/notes`, { body });
const event = (body: string) => ({ data: { noteChanged: { note: { body } } } });

test('a change in one process is an event in the other', async () => {
  const [here, there] = [await followNotes(first), await followNotes(second)];
  await write(first, 'hello');
  expect(await there.next()).toEqual(event('hello'));
  expect(await here.next()).toEqual(event('hello'));
});

test('the trace that one process receives is followed in the other', async () => {
  const api = clientOf(first.url, rootToken);
  const file = await api.post(`/projects/${project}/repository/files/.gitlab-ci.yml`, {
    branch: 'master',
    content: 'unit: { script: make }\n',
    commit_message: 'CI',
  });
  expect(file.status).toBe(201);
  const { body: details } = await api.get(`/projects/${project}`);
  const registered = await api.post('/runners', {
    token: (details as { runners_token: string }).runners_token,
  });
  const runner = runnerClient(first.url, (registered.body as { token: string }).token);
  const request = async () => (await runner.request('')).job;
  await expect.poll(async () => (await api.get(`/projects/${project}/jobs`)).body).toHaveLength(1);
  const job = await request();
  if (!job) throw new Error('there is a job');
  const stream = await subscriberOf(second)(
    `subscription { jobTraceAppended(jobId: ${job.id}) { text status } }`,
    { headers },
  );
  expect(await stream.next()).toEqual({
    data: { jobTraceAppended: { text: '', status: 'RUNNING' } },
  });
  await runner.append(job, 0, 'a line\n');
  expect(await stream.next()).toEqual({
    data: { jobTraceAppended: { text: 'a line\n', status: 'RUNNING' } },
  });
  await runner.update(job, { state: 'success' });
  expect(await stream.next()).toEqual({
    data: { jobTraceAppended: { text: '', status: 'SUCCESS' } },
  });
  expect(await stream.next()).toBe('complete');
});

test('a permission withdrawn in one process ends the stream in the other', async () => {
  const api = clientOf(first.url, rootToken);
  const { body: user } = await api.post('/users', {
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    password: 'password of ada',
  });
  const { body: session } = await clientOf(first.url, null).post('/session', {
    login: 'ada',
    password: 'password of ada',
  });
  const token = { 'Private-Token': (session as { private_token: string }).private_token };
  const stream = await followNotes(second, token);
  await write(first, 'for ada');
  expect(await stream.next()).toEqual(event('for ada'));
  await api.post(`/users/${(user as { id: number }).id}/block`);
  expect(await stream.next()).toMatchObject({
    errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
  });
  expect(await stream.next()).toBe('complete');
});

test('a killed process takes only its own streams along', async () => {
  const [here, there] = [await followNotes(first), await followNotes(second)];
  await second.kill('SIGKILL');
  expect(await there.next()).toBe('ended');
  await write(first, 'still here');
  expect(await here.next()).toEqual(event('still here'));
  second = await startProcess(ports[1], variables);
  const again = await followNotes(second);
  await write(first, 'again');
  expect(await again.next()).toEqual(event('again'));
});

test('SIGTERM ends open streams in order', async () => {
  const stream = await followNotes(second);
  expect(await second.kill('SIGTERM')).toBe(0);
  expect(await stream.next()).toBe('ended');
  const [line = ''] =
    second
      .output()
      .match(/.*"path":"\/graphql".*/g)
      ?.slice(-1) ?? [];
  // 499 if the connection had been cut after the grace period
  expect(JSON.parse(line)).toMatchObject({ status: 200, method: 'POST' });
});
