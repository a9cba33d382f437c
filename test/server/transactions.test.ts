import { afterAll, expect, inject, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import { cloneDatabase } from '../support/database.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const db = connect(database.url, { poolSize: 1 });

afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

test('relations that a transaction reads at the same time share its connection without a warning', async () => {
  const names = { username: 'ada', usernameKey: 'ada', name: 'Ada' };
  const email = { email: 'ada@example.com', emailKey: 'ada@example.com' };
  const { id } = await db.user.create({ data: { ...names, ...email, projectsLimit: 0 } });
  const warnings: string[] = [];
  const collect = ({ message }: Error) => warnings.push(message);
  process.on('warning', collect);
  try {
    const read = await db.$transaction((tx) =>
      tx.user.findUnique({
        relationLoadStrategy: 'query',
        where: { id },
        include: { emails: true, stars: true, memberships: true, issues: true },
      }),
    );
    expect(read).toMatchObject({ id, emails: [], stars: [], memberships: [], issues: [] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', collect);
  }
});

test('a failed statement undoes the transaction also if others were sent after it', async () => {
  await db.$executeRaw`CREATE TABLE kept (number int)`;
  const failed = db.$transaction((tx) =>
    Promise.all([
      tx.$executeRaw`INSERT INTO kept VALUES (1)`,
      tx.$queryRaw`SELECT 1 / 0`,
      tx.$queryRaw`SELECT 1`,
    ]),
  );
  await expect(failed).rejects.toThrow();
  expect(await db.$queryRaw`SELECT number FROM kept`).toEqual([]);
});
