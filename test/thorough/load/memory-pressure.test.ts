import { expect, test } from 'vitest';
import { memoryMarks } from '../../../server/memory-pressure.ts';
import { world } from '../../support/world.ts';

/** Limits of zero bytes, so that memory pressure is always on. */
const short = { high: 0, low: 0 };
const marks = { ...memoryMarks };
const { as, root, url } = await world({ limits: { memory: marks } });

const graphql = () =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });

test('under memory pressure costly requests are rejected, others succeed, and later all do', async () => {
  const api = as(root);
  expect((await graphql()).status).toBe(200);
  marks.heap = short;
  await expect.poll(async () => (await graphql()).status).toBe(503);

  const refused = await graphql();
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({
    errors: [
      { message: 'Service Unavailable', extensions: { code: 'UNAVAILABLE', retryAfter: 10 } },
    ],
  });
  const soap = await fetch(`${url}/api/soap`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/xml' },
    body: '<a/>',
  });
  expect([soap.status, soap.headers.get('Retry-After')]).toEqual([503, '10']);
  expect(await soap.text()).toMatch(/<faultcode>SOAP-ENV:Server<.*busy/);
  const lint = await api.post('/ci/lint', { content: 'a: b' });
  expect(lint).toMatchObject({ status: 503, body: { message: '503 Service Unavailable' } });
  const clone = await fetch(`${url}/root/app.git/git-upload-pack`, { method: 'POST' });
  expect(clone.status).toBe(503);
  const page = await fetch(`${url}/root/app/blob/master/a.txt`, {
    headers: { Accept: 'text/html' },
  });
  expect(page.status).toBe(503);
  expect(page.headers.get('Content-Type')).toContain('text/html');

  expect((await fetch(`${url}/-/liveness`)).status).toBe(200);
  expect((await api.get('/projects')).status).toBe(200);
  expect((await api.get('/user')).status).toBe(200);
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  expect(metrics).toMatch(/^millrace_memory_pressure 1$/m);
  expect(metrics).toMatch(/^millrace_requests_refused_total [1-9]/m);

  marks.heap = memoryMarks.heap;
  await expect.poll(async () => (await graphql()).status).toBe(200);
});
