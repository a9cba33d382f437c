import { describe, expect, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import { cursorText } from '../../schema/listing/cursor.ts';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { scaleCases } from '../bench/scale-cases.ts';
import { findScaleTargets, scaleStatements } from '../bench/scale-fill.ts';
import { createUsers } from '../bench/users.ts';
import { listingPaths, ownListings, secrets } from '../support/listings.ts';

/** As the large database of the bench in its proportions: half of the 20,000 issues are in one project. */
const projects = 2_000;

const { databaseUrl, session, listings } = await ownListings();
await session.query('SET session_replication_role = replica');
const { member } = await createUsers(session, secrets);
const noRepository = { diskPath: 'none/1', commits: ['0'.repeat(40)] };
for (const statement of scaleStatements(projects, noRepository)) await session.query(statement);
await session.query('VACUUM ANALYZE');
const targets = await findScaleTargets(session);
const { rows: administrators } = await session.query(
  `UPDATE users SET is_admin = true WHERE username = 'user3' RETURNING id`,
);

const db = connect(databaseUrl, { poolSize: 1 });
const viewers = {
  admin: await viewerOf(db, administrators[0].id),
  member: await viewerOf(db, member.id),
  anonymous: null,
};
await db.$disconnect();

/**
 * All nodes of a plan together: it may read all of the 2,000 projects, groups and users, and the few rows of
 * a page, but not all 10,000 issues of the large project.
 */
const mostRows = 8_000;

/** The cases that read more, with how many rows, and the reason. */
const exceptions: readonly (readonly [RegExp, number, string])[] = [
  [/labels=No\+Label/, 200_000, 'no issue is without labels, and only reading all tells'],
  [/labels=label\+1/, 60_000, 'the rows with a label are sorted'],
  [/groups\/:group\/issues.*milestone=milestone/, 20_000, 'the rows with a milestone are sorted'],
  [
    /^\/events|users\/:user\/events/,
    40_000,
    'the visibility of all events of a user is judged at once',
  ],
  [/\/labels(?:\?search=label)?$/, 40_000, 'each label shows how many issues it has'],
];

const mostRowsOf = (name: string): number =>
  exceptions.find(([pattern]) => pattern.test(name))?.[1] ?? mostRows;

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The rows that the nodes of a plan read. */
const rowsRead = (plan: Plan): number => {
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  return (plan['Actual Rows'] + removed) * plan['Actual Loops'] + below;
};

/** The endpoint and the parameters of a path with its query. */
function requestOf(path: string): { readonly endpoint: string; readonly params: object } {
  const url = new URL(path.replace('/api/v4', ''), 'http://localhost');
  for (const endpoint of listingPaths) {
    const names = [...endpoint.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const match = new RegExp(`^${endpoint.replace(/:\w+/g, '([^/]+)')}$`).exec(url.pathname);
    if (!match) continue;
    const inPath = names.map((name, place) => [name, match[place + 1]]);
    return { endpoint, params: Object.fromEntries([...inPath, ...url.searchParams]) };
  }
  throw new Error(`${path} is not a listing`);
}

// a page reads what it skips, and jobs show the commits of a repository
const cases = scaleCases
  .filter(({ name }) => !/page=|jobs/.test(name))
  .flatMap(({ name, pathOf, callers }) =>
    callers.map((caller) => [name, caller, pathOf(targets)] as const),
  );

describe('a page of a listing reads few rows, however many the listing has', () => {
  test.each(cases)('%s by %s', async (name, caller, path) => {
    const { endpoint, params } = requestOf(path);
    const { queries } = await listings.listByKeys(endpoint, viewers[caller], params);
    let most = 0;
    for (const { sql, values } of queries) {
      const { rows } = await session.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`, [
        ...values,
      ]);
      most = Math.max(most, rowsRead(rows[0]['QUERY PLAN'][0].Plan));
    }
    expect(most).toBeLessThan(mostRowsOf(name));
  });
});

test.each(['admin', 'member'] as const)(
  'a deep page has the rows that follow the page before: by %s',
  async (caller) => {
    const list = (params: object) =>
      listings.list('/issues', viewers[caller], { scope: 'all', ...params });
    const before = (await list({ page: 50, perPage: 100 })).rows as readonly Issue[];
    const { id, created_at: createdAt } = before.at(-1) as Issue;
    const cursor = cursorText({ key: createdAt.replace('Z', '+00:00'), id });
    const next = await listings.listByKeys('/issues', viewers[caller], { scope: 'all', cursor });
    const deep = await list({ page: 251 });
    expect(deep.rows).toHaveLength(20);
    expect(deep.rows).toEqual(next.rows);
    expect(deep.queries.some(({ sql }) => sql.includes('IS TRUE'))).toBe(true);
  },
);

interface Issue {
  readonly id: number;
  readonly created_at: string;
}
