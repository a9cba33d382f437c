import { afterAll, expect, inject, test } from 'vitest';
import { connect, openSession, Prisma } from '../../prisma/client.ts';
import { readWithValue, rememberValues } from '../../schema/listing/remembered.ts';
import { cloneDatabase } from '../support/database.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const db = connect(database.url, { poolSize: 10 });
rememberValues(db, { slowStatement: -1, slowValue: -1 });
const session = await openSession(database.url);
afterAll(async () => {
  await session.end();
  await db.$disconnect();
  await database.drop();
});

interface Row {
  readonly total: number | null;
}

/** Reads the number of labels; `computed` is told of each statement without a remembered value. */
const read = (source: Prisma.Sql, computed: () => void = () => {}) =>
  readWithValue<'total', Row>(db, { as: 'total', source }, async ({ columnsOf, remembered }) => {
    if (!remembered) computed();
    const value = Prisma.sql`(SELECT count(*)::int FROM ${source})`;
    const [row] = await db.$queryRaw<[Row]>`SELECT ${columnsOf(value)}`;
    return row;
  });

test('requests at the same time share one computation', async () => {
  // it waits for the lock, which the session has
  const source = Prisma.sql`labels, pg_advisory_xact_lock_shared(7)`;
  await read(source);
  await session.query('SELECT pg_advisory_lock(7)');
  let computations = 0;
  const readings = Array.from({ length: 5 }, () =>
    read(source, () => {
      computations += 1;
    }),
  );
  await expect.poll(() => computations).toBe(1);
  await session.query('SELECT pg_advisory_unlock(7)');
  expect(await Promise.all(readings)).toEqual(readings.map(() => ({ total: 0 })));
  expect(computations).toBe(1);
});

test('a computation that fails does not disturb the next one', async () => {
  const source = Prisma.sql`labels WHERE 1 / (SELECT count(*) FROM milestones) > 0`;
  const project = `INSERT INTO milestones (namespace_id, iid, title, updated_at) VALUES (1, 1, 'v1', now())`;
  await session.query('SET session_replication_role = replica');
  await session.query(project);
  await read(source);
  await session.query('DELETE FROM milestones');
  await expect(read(source)).rejects.toThrow('division by zero');
  await session.query(project);
  expect(await read(source)).toEqual({ total: 0 });
});

test('a value of a transaction that has written is not remembered', async () => {
  const source = Prisma.sql`labels WHERE name <> 'other'`;
  await read(source);
  const insert = `INSERT INTO labels (name, color, updated_at, namespace_id) VALUES ('own', '#fff', now(), 1)`;
  await session.query('SET session_replication_role = replica');
  await db
    .$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL session_replication_role = replica`);
      await tx.$executeRawUnsafe(insert);
      const within = await readWithValue<'total', Row>(
        db,
        { as: 'total', source },
        async ({ columnsOf }) => {
          const value = Prisma.sql`(SELECT count(*)::int FROM ${source})`;
          const [row] = await tx.$queryRaw<[Row]>`SELECT ${columnsOf(value)}`;
          return row;
        },
      );
      expect(within).toEqual({ total: 1 });
      throw new Error('undone');
    })
    .catch(() => {});
  expect(await read(source)).toEqual({ total: 0 });
});
