import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { as, seed, url, db } = await world();
const ada = await seed.user('ada');

const look = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${url}/-/${path}`, init);
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    cache: response.headers.get('Cache-Control'),
    text: await response.text(),
  };
};

describe.each(['liveness', 'readiness'])('GET /-/%s', (path) => {
  test('a running service responds with 200 to anonymous requests', async () => {
    expect(await look(path)).toEqual({
      status: 200,
      type: 'application/json',
      cache: 'no-store',
      text: '{"status":"ok"}',
    });
  });
});

describe('GET /-/metrics', () => {
  test('loopback gets metrics in the Prometheus format', async () => {
    await as(ada).get('/version');
    const { status, type, text } = await look('metrics');
    expect({ status, type }).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
    });
    expect(text).toMatch(/^millrace_git_children \d+$/m);
    expect(text).toMatch(/^millrace_jobs\{kind="refresh-statistics"\} \d+$/m);
    expect(text).toMatch(/^millrace_ci_jobs\{status="pending"\} 0$/m);
    expect(text).toContain('route="/api/v4/version"');
    expect(text).not.toContain(ada.token);
  });

  test('metrics have the age of the oldest background job that is due', async () => {
    const ageOfOldest = async () => {
      const { text } = await look('metrics');
      const line = /^millrace_jobs_oldest_seconds\{kind="import-project"\} ([\d.]+)$/m.exec(text);
      return line ? Number(line[1]) : null;
    };
    await db.$executeRaw`INSERT INTO pgboss.job (name, start_after)
      VALUES ('import-project', now() + interval '1 second')`;
    // workers skip a locked job
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM pgboss.job WHERE name = 'import-project' FOR UPDATE`;
      expect(await ageOfOldest()).toBeNull();
      await expect.poll(ageOfOldest).toBeGreaterThan(0);
      await tx.$executeRaw`DELETE FROM pgboss.job WHERE name = 'import-project'`;
    });
  });

  test('rejects other methods', async () => {
    expect((await look('metrics', { method: 'POST' })).status).toBe(404);
  });
});

test('an unknown path is 404', async () => {
  expect((await look('nothing')).status).toBe(404);
});
