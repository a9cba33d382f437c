import { expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { type JobWithToken, jobAssigner, projectWithJobs } from '../support/runner-jobs.ts';
import { world } from '../support/world.ts';

const server = await world({ variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1' } });
const { url, db, seed } = server;
const ci = await ciOf(server);
const assignJob = await jobAssigner(server, ci);
await seed.group('acme');
const app = await projectWithJobs(server, ci, 'acme/app', 'unit: { script: make }\n');
const runningJob = async () => assignJob(await app.pipeline(), 'unit');

const archive = () => {
  const form = new FormData();
  form.append('file', new File(['PK'], 'artifacts.zip'));
  return form;
};

type RequestOf = (job: JobWithToken) => readonly [path: string, init: RequestInit];

/** The requests that a runner sends with the token of a job. */
const requests: readonly (readonly [string, RequestOf])[] = [
  [
    'a status',
    ({ token }) => [
      '',
      {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token, state: 'running' }),
      },
    ],
  ],
  [
    'a chunk of the trace',
    ({ token }) => [
      '/trace',
      {
        method: 'PATCH',
        headers: { 'Job-Token': token, 'Content-Range': '0-5' },
        body: 'hello',
      },
    ],
  ],
  [
    'a request to authorize an upload',
    ({ token }) => ['/artifacts/authorize', { method: 'POST', headers: { 'Job-Token': token } }],
  ],
  [
    'artifacts',
    ({ token }) => [
      '/artifacts',
      { method: 'POST', headers: { 'Job-Token': token }, body: archive() },
    ],
  ],
  ['a download of artifacts', ({ token }) => ['/artifacts', { headers: { 'Job-Token': token } }]],
];

const wrong = 'wrong-job-token-0000';
let address = 0;

test.each(requests)(
  '%s with a wrong job token counts against the address, and the right token always works',
  async (_what, requestOf) => {
    const job = await runningJob();
    address += 1;
    const from = `203.0.113.${address}`;
    const key = `token:${from}`;
    const send = async (token: string, sender = from) => {
      const [path, init] = requestOf({ ...job, token });
      const headers = new Headers(init.headers);
      headers.set('X-Forwarded-For', sender);
      const response = await fetch(`${url}/api/v4/jobs/${job.id}${path}`, { ...init, headers });
      await response.arrayBuffer();
      return response.status;
    };
    const counted = async () =>
      (await db.signInAttempt.findUnique({ where: { key } }))?.points ?? 0;

    expect(await send(wrong)).toBe(403);
    expect(await counted()).toBe(1);
    // as if the address had already sent a thousand
    await db.signInAttempt.update({ where: { key }, data: { points: 1000 } });
    expect(await send(wrong)).toBe(429);
    const before = await counted();
    expect(await send(job.token)).not.toSatisfy((status: number) =>
      [401, 403, 429].includes(status),
    );
    expect(await counted()).toBe(before);
    expect(await send(wrong, '198.51.100.1')).toBe(403);
  },
);
