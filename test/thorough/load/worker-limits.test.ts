import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { graphqlClientOf } from '../../support/graphql.ts';
import { expandingCiFiles, hostileCiFiles } from '../../support/hostile/ci-texts.ts';
import { message, soapClientOf } from '../../support/soap.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
// new accounts count with their network
await db.user.updateMany({ data: { createdAt: new Date(0) } });
const sendGraphql = graphqlClientOf(url);
const soap = soapClientOf(url);
const session = await soap.session(ada);

/** The maximum of one caller: its running task and its queued ones. */
const share = 9;
/** Takes about a second to be refused. */
const slow = hostileCiFiles['262,000 brackets'] ?? '';
const valid = 'rspec: { script: rake spec }';
/** Too large to be checked without a thread. */
const large = `${valid}\n${'# a comment\n'.repeat(1_000)}`;

const waitingTasks = async () => {
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  return Number(/^millrace_worker_tasks\{state="waiting"\} (\d+)/m.exec(metrics)?.[1]);
};

describe('a caller whose share of the worker pool is full', () => {
  let hogs: AbortController;
  /** Sends one request after another. */
  const hog = async ({ signal }: AbortController) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ content: slow });
    while (!signal.aborted) {
      await as(ada)
        .fetch('/ci/lint', { method: 'POST', headers, body, signal })
        .then((response) => response.text())
        .catch(() => null);
    }
  };
  beforeEach(async () => {
    hogs = new AbortController();
    for (let place = 0; place < share; place += 1) void hog(hogs);
    await expect.poll(waitingTasks).toBe(share - 1);
  });
  afterEach(async () => {
    hogs.abort();
    await expect.poll(waitingTasks).toBe(0);
  });

  /** A response of the full share: between two requests of a hog there is a place. */
  const untilRefused = async (send: () => Promise<Response>): Promise<Response> => {
    let response = await send();
    await expect
      .poll(async () => {
        if (response.status !== 503) response = await send();
        return response.status;
      })
      .toBe(503);
    return response;
  };

  test('gets 503 with Retry-After by REST', async () => {
    const response = await untilRefused(() =>
      as(ada).fetch('/ci/lint', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ content: large }),
      }),
    );
    expect(response.headers.get('Retry-After')).toBe('2');
    expect(await response.json()).toEqual({ message: '503 Service Unavailable' });
  });

  test('gets 503 with Retry-After by GraphQL', async () => {
    const response = await untilRefused(() =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Private-Token': ada.token },
        body: JSON.stringify({
          query: 'query ($content: String!) { ciLint(content: $content) { errors } }',
          variables: { content: large },
        }),
      }),
    );
    expect(response.headers.get('Retry-After')).toBe('2');
    expect(await response.json()).toMatchObject({
      errors: [{ message: 'Service Unavailable', extensions: { code: 'UNAVAILABLE' } }],
    });
  });

  test('gets a fault of its own by SOAP', async () => {
    const call = message('call', session, 'ci.lint', { content: large });
    await expect
      .poll(() => soap.post(call))
      .toMatchObject({
        status: 503,
        outcome: { fault: { code: '107', message: 'The service is busy. Try again later.' } },
      });
  });

  test('still gets responses that need no thread, and other callers get all', async () => {
    const expected = { status: 200, body: { status: 'valid', errors: [] } };
    expect(await as(ada).post('/ci/lint', { content: valid })).toEqual(expected);
    expect(await as(bob).post('/ci/lint', { content: large })).toEqual(expected);
    expect(await as(null).post('/ci/lint', { content: large })).toEqual(expected);
    expect(
      await sendGraphql(bob, 'query ($content: String!) { ciLint(content: $content) { errors } }', {
        content: large,
      }),
    ).toMatchObject({ status: 200, body: { data: { ciLint: { errors: [] } } } });
  });
});

test('a pushed CI file that exceeds a limit creates a failed pipeline with the error', async () => {
  const project = await seed.project('ada/app');
  const content = expandingCiFiles['750 merges of 4,000 keys'] ?? '';
  await seed.push('ada/app', { '.gitlab-ci.yml': content });
  const pipelines = async () =>
    (await as(ada).get(`/projects/${project.id}/pipelines`)).body as readonly { id: number }[];
  await expect.poll(async () => (await pipelines()).length).toBe(1);
  const [pipeline] = await pipelines();
  expect(
    await db.pipeline.findUniqueOrThrow({
      where: { id: pipeline?.id ?? 0 },
      select: { status: true, yamlErrors: true },
    }),
  ).toEqual({
    status: 'failed',
    yamlErrors: expect.stringContaining('too long with its merge keys resolved'),
  });
});
