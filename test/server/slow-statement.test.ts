import { expect, test } from 'vitest';
import { openSession } from '../../prisma/client.ts';
import { world } from '../support/world.ts';

const { as, url, databaseUrl } = await world({ limits: { database: { statementLimit: 300 } } });

test('a statement that exceeds its time limit is canceled, and its request gets 503', async () => {
  const session = await openSession(databaseUrl);
  try {
    await session.query('BEGIN');
    await session.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
    const response = await as(null).fetch('/projects?search=is');
    expect({
      status: response.status,
      wait: response.headers.get('Retry-After'),
      body: await response.json(),
    }).toEqual({
      status: 503,
      wait: '60',
      body: { message: '503 The request takes the database too long' },
    });
  } finally {
    await session.end();
  }
  expect((await as(null).get('/projects?search=is')).status).toBe(200);
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  expect(metrics).toContain('millrace_outages_total{part="database"} 1');
});
