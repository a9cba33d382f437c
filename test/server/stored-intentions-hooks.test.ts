import { describe, expect, test } from 'vitest';
import { holdJobs } from '../support/held-jobs.ts';
import { receiver } from '../support/receiver.ts';
import { world } from '../support/world.ts';

const { as, seed, url, db } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' },
});
const ada = await seed.user('ada');
const max = await seed.user('max');
await seed.group('acme', { owner: ada });
const listener = await receiver((response, { path }) => {
  response.writeHead(path.endsWith('/fails') ? 410 : 200).end('ok');
});
const requestsTo = (path: string) => listener.received.filter((request) => request.path === path);

let count = 0;

/** A project with a webhook for issues, which Max has created. */
async function projectWithHook(path: string, settings: object = {}) {
  count += 1;
  const { id } = await seed.project(`acme/p${count}`, { master: max });
  const { status, body } = await as(max).post(`/projects/${id}/hooks`, {
    url: `${listener.url}${path}`,
    push_events: false,
    issues_events: true,
    token: 'former-token',
    ...settings,
  });
  expect(status).toBe(201);
  const { id: hookId } = body as { readonly id: number };
  const project = `/projects/${id}`;
  const hook = `${project}/hooks/${hookId}`;
  /** Changes the hook as Max. */
  const change = async (fields: object) => {
    const response = await as(max).put(hook, { url: `${listener.url}${path}`, ...fields });
    expect(response.status).toBe(200);
  };
  return { project, hookId, hook, change };
}

type WithHook = Awaited<ReturnType<typeof projectWithHook>>;

const deliveriesOf = ({ hookId }: WithHook) => db.hookDelivery.findMany({ where: { hookId } });

const finished = (project: WithHook) =>
  expect
    .poll(async () => (await deliveriesOf(project)).filter(({ state }) => state === 'pending'))
    .toEqual([]);

/** Creates an issue; `change` happens before its delivery. */
async function notifyAndChange(
  project: WithHook,
  change: () => Promise<unknown>,
  issue: object = {},
) {
  const held = await holdJobs(db, 'deliver-hook');
  const created = await as(ada).post(`${project.project}/issues`, { title: 'Leak', ...issue });
  expect(created.status).toBe(201);
  expect(await held.count()).toBe(1);
  await change();
  await held.release();
  await finished(project);
  return deliveriesOf(project);
}

describe('a delivery that waits', () => {
  test('goes to the present URL of its webhook, without the token of the former one', async () => {
    const project = await projectWithHook('/former');
    const move = () => project.change({ url: `${listener.url}/present` });
    expect(await notifyAndChange(project, move)).toMatchObject([{ state: 'delivered' }]);
    expect(requestsTo('/former')).toEqual([]);
    const [request] = requestsTo('/present');
    expect(request?.headers).not.toHaveProperty('x-gitlab-token');
  });

  test('has the present token of its webhook', async () => {
    const project = await projectWithHook('/renewed');
    const renew = () => project.change({ token: 'present-token' });
    await notifyAndChange(project, renew);
    expect(requestsTo('/renewed')).toMatchObject([
      { headers: { 'x-gitlab-token': 'present-token' } },
    ]);
  });

  test('is not sent if the webhook no longer subscribes to the event', async () => {
    const project = await projectWithHook('/unsubscribed');
    const unsubscribe = () => project.change({ issues_events: false });
    expect(await notifyAndChange(project, unsubscribe)).toMatchObject([
      {
        state: 'failed',
        attempts: 0,
        error: 'The webhook does not subscribe to this event any more',
      },
    ]);
    expect(requestsTo('/unsubscribed')).toEqual([]);
  });

  test('is not sent if the webhook no longer subscribes to confidential issues', async () => {
    const project = await projectWithHook('/confidential', { confidential_issues_events: true });
    const unsubscribe = () => project.change({ confidential_issues_events: false });
    const deliveries = await notifyAndChange(project, unsubscribe, { confidential: true });
    expect(deliveries).toMatchObject([{ state: 'failed', attempts: 0 }]);
    expect(requestsTo('/confidential')).toEqual([]);
  });

  test('is not sent after its webhook was deleted', async () => {
    const project = await projectWithHook('/deleted');
    await notifyAndChange(project, () => as(max).delete(project.hook));
    expect(requestsTo('/deleted')).toEqual([]);
  });

  test('is not sent after its project was deleted', async () => {
    const project = await projectWithHook('/removed');
    await notifyAndChange(project, async () => {
      const remove = await holdJobs(db, 'remove-project');
      expect((await as(ada).delete(project.project)).status).toBe(202);
      const pending = { hookId: project.hookId };
      expect(await db.hookDelivery.count({ where: pending })).toBe(1);
      await remove.release();
    });
    expect(requestsTo('/removed')).toEqual([]);
  });

  test('is sent although the user who created the webhook has left: it is the project’s', async () => {
    const project = await projectWithHook('/kept');
    const leave = () => as(ada).delete(`${project.project}/members/${max.id}`);
    expect(await notifyAndChange(project, leave)).toMatchObject([{ state: 'delivered' }]);
    expect(requestsTo('/kept')).toHaveLength(1);
  });
});

test('a delivery sent again goes to the present URL with the present token, whatever is subscribed', async () => {
  const project = await projectWithHook('/again/fails');
  const [delivery] = await notifyAndChange(project, async () => {});
  expect(delivery).toMatchObject({ state: 'failed', responseStatus: 410 });
  await project.change({
    url: `${listener.url}/again/present`,
    token: 'present-token',
    issues_events: false,
  });
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Private-Token': max.token },
    body: JSON.stringify({
      query: `mutation { resendHookDelivery(input: { id: ${delivery?.id} }) {
        hookDelivery { id } } }`,
    }),
  });
  expect(await response.json()).not.toHaveProperty('errors');
  await expect.poll(() => requestsTo('/again/present').length).toBe(1);
  await finished(project);
  expect(await deliveriesOf(project)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  expect(requestsTo('/again/fails')).toHaveLength(1);
  expect(requestsTo('/again/present')).toMatchObject([
    { headers: { 'x-gitlab-token': 'present-token' } },
  ]);
});
