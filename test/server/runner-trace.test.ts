import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { removeTree, type WorkFolder } from '../../server/runner/folders.ts';
import { jobShape } from '../../server/runner/job.ts';
import type { JobContext } from '../../server/runner/job-context.ts';
import { type Protocol, protocolAt } from '../../server/runner/protocol.ts';
import { runSteps } from '../../server/runner/run-steps.ts';
import { openTrace } from '../../server/runner/trace.ts';
import { ciOf } from '../support/ci.ts';
import { jobAssigner, projectWithJobs } from '../support/runner-jobs.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, seed, root, url, db } = server;
const ci = await ciOf(server);
const assignJob = await jobAssigner(server, ci);
await seed.group('acme');
const app = await projectWithJobs(server, ci, 'acme/app', 'unit: { script: make }\n');
const running = async () => assignJob(await app.pipeline(), 'unit');
const traceOf = async ({ id }: { readonly id: number }) =>
  (await as(root).get(`/projects/${app.id}/jobs/${id}/trace`)).body;

const { signal: never } = new AbortController();
const options = { secrets: ['a secret'], limit: 1024 * 1024, giveUp: never };

/** A protocol client that loses every n-th response. */
function losing(every: number): Protocol {
  const protocol = protocolAt(url);
  let count = 0;
  return {
    ...protocol,
    patchTrace: async (...args) => {
      const response = await protocol.patchTrace(...args);
      count += 1;
      if (count % every === 0) throw new Error('the connection was lost');
      return response;
    },
  };
}

describe('a trace', () => {
  test('arrives completely and without duplicates when responses are lost', async () => {
    const job = await running();
    const trace = openTrace(job, losing(2), options);
    const lines = Array.from({ length: 20_000 }, (_, n) => `this is line ${n} of the trace\n`);
    for (const line of lines) trace.write(Buffer.from(line));
    await trace.end();
    expect(await traceOf(job)).toBe(lines.join(''));
    expect(trace.unwanted.aborted).toBe(false);
  });

  test('continues at the offset that the service reports', async () => {
    const job = await running();
    await protocolAt(url).patchTrace(job, 0, Buffer.from('first\nsecond\n'));
    const trace = openTrace(job, protocolAt(url), options);
    trace.write(Buffer.from('first\nsecond\na secret\nthird\n'));
    await trace.end();
    expect(await traceOf(job)).toBe('first\nsecond\n[MASKED]\nthird\n');
  });

  test('of a canceled job ends, and reports it', async () => {
    const job = await running();
    const trace = openTrace(job, protocolAt(url), options);
    expect((await as(root).post(`/projects/${app.id}/jobs/${job.id}/cancel`)).status).toBe(201);
    trace.write(Buffer.from('are you canceled?\n'));
    await trace.end();
    expect(trace.unwanted.aborted).toBe(true);
  });

  test('of a deleted job ends as well', async () => {
    const job = await running();
    await db.job.delete({ where: { id: job.id } });
    const trace = openTrace({ ...job, id: job.id }, protocolAt(url), options);
    trace.say('are you canceled?');
    await trace.end();
    expect(trace.unwanted.aborted).toBe(true);
  });
});

describe('steps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-runner-steps-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs steps; gives their failure and output. */
  async function runAndCollect(steps: readonly object[], signal = never) {
    const temporary = await mkdtemp(join(folder, 'steps-'));
    let printed = '';
    const work = {
      job: jobShape.pick({ steps: true }).parse({ steps }),
      folder: { source: folder, temporary } as Partial<WorkFolder>,
      variables: new Map([['NAME', 'value']]),
      environment: { PATH: '/usr/bin:/bin' },
      signal,
      say: () => {},
      warn: (line: string) => {
        printed += `${line}\n`;
      },
      print: (piece: Buffer) => {
        printed += piece;
      },
    } as unknown as JobContext;
    const failure = await runSteps(work);
    return { failure: failure?.message ?? null, printed };
  }

  test('stop at the first failing command, also within a pipe', async () => {
    const { failure, printed } = await runAndCollect([
      { name: 'script', script: ['echo $NAME', 'false | cat', 'echo never'] },
      { name: 'after_script', script: ['echo after; false'], when: 'always', allow_failure: true },
      { name: 'release', script: ['echo not this'], when: 'on_success' },
    ]);
    expect(failure).toBe('exit status 1');
    expect(printed).toContain('\nvalue\n');
    expect(printed).toContain('\nafter\nafter_script failed: exit status 1\n');
    expect(printed).not.toMatch(/\n(never|not this)\n/);
  });

  test('that exceed the timeout are killed, even if they ignore signals', async () => {
    const stubborn = "trap '' TERM; echo stubborn; while true; do sleep 0.1; done";
    const { failure, printed } = await runAndCollect([
      { name: 'script', script: [stubborn], timeout: 1 },
    ]);
    expect(failure).toBe('it took longer than 1 seconds');
    expect(printed).toContain('\nstubborn\n');
  });

  test('with folders without permissions are still cleaned up', async () => {
    const { failure } = await runAndCollect([
      { name: 'script', script: ['mkdir -p a/b', 'touch a/b/c', 'chmod 0 a/b a'] },
    ]);
    expect(failure).toBe(null);
    await removeTree(join(folder, 'a'));
    await expect(rm(join(folder, 'a'))).rejects.toThrow('ENOENT');
  });
});
