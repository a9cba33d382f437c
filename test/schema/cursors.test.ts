import { type GraphQLObjectType, isEnumType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ciProject } from '../support/ci-pages.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { publicSchema } from '../support/public-queries.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, db, root, seed, url } = testWorld;
const send = graphqlClientOf(url);

const ada = await seed.user('ada');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
await seed.group('tools', { owner: ada }, { visibility: 'public' });
await seed.group('Alpha', { owner: ada }, { visibility: 'public' });
const app = await ciProject(testWorld, { path: 'acme/app', settings: { visibility: 'public' } });
// the longest names, of characters of four bytes each, and names that differ in case only
const longName = '\u{1f332}'.repeat(255);
for (const [path, name] of [
  ['b', 'same'],
  ['c', 'Same'],
  ['d', longName],
]) {
  await as(root).post('/projects', { path, name, visibility: 'public' });
}
for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
  await as(ada).post(`/projects/${app.id}/issues`, { title });
}
for (const name of ['bug', 'Bug', 'feature', longName]) {
  await as(ada).post(`/projects/${app.id}/labels`, { name, color: '#ff0000' });
}
for (const tag_name of ['v1', 'v2', 'v3', 'v4', 'v5']) {
  const release = { tag_name, ref: 'master', released_at: '2020-01-01T00:00:00Z' };
  await as(root).post(`/projects/${app.id}/releases`, release);
}
const pipelineIds: number[] = [];
for (const user of [ada, root, ada, root, ada]) pipelineIds.push(await app.pipeline(user));
await db.pipeline.updateMany({
  where: { id: { in: [pipelineIds[0] ?? 0, pipelineIds[3] ?? 0] } },
  data: { userId: null },
});

/** The listings of a type with each of their orders. */
const ordersOf = (typeName: 'Query' | 'Project') => {
  const fields = publicSchema.getType(typeName) as GraphQLObjectType;
  return Object.values(fields.getFields()).flatMap(({ name, args }) => {
    const orderType = args.find((argument) => argument.name === 'orderBy')?.type;
    const orders = isEnumType(orderType) ? orderType.getValues() : [];
    return args.some((argument) => argument.name === 'after')
      ? orders.map((order) => [typeName, name, order.name] as const)
      : [];
  });
};

/** The document of a listing of the root, or of the project. */
const documentOf = (typeName: 'Query' | 'Project', field: string, args: string) => {
  // a release is identified by its tag
  const id = field === 'releases' ? 'id: tagName' : 'id';
  const listing = `${field}(${args}) { nodes { ${id} } total pageInfo { hasNextPage endCursor } }`;
  return typeName === 'Query' ? `{ ${listing} }` : `{ project(id: "acme/app") { ${listing} } }`;
};

interface Listing {
  readonly nodes: readonly { readonly id: string }[];
  readonly total: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function read(typeName: 'Query' | 'Project', field: string, args: string) {
  const { body } = await send(root, documentOf(typeName, field, args));
  expect(body.errors).toBeUndefined();
  const { project, ...roots } = body.data as unknown as Record<string, Record<string, Listing>>;
  return (typeName === 'Query' ? roots : project)?.[field] as unknown as Listing;
}

const orders = [...ordersOf('Query'), ...ordersOf('Project')];

test('the orders include one by a column that may be null', () => {
  expect(orders).toContainEqual(['Project', 'pipelines', 'USER_ID']);
});

describe.each(['ASC', 'DESC'])('%s', (sort) => {
  test.each([...orders, ['Project', 'labels', null]] as const)(
    'pages of %s.%s by %s have every row once, in the order of a single page',
    async (typeName, field, order) => {
      const args = order ? `orderBy: ${order}, sort: ${sort}` : 'page: 1';
      const { nodes, total } = await read(typeName, field, `${args}, first: 100`);
      expect(nodes).toHaveLength(total);
      const rows: string[] = [];
      let after = '';
      while (rows.length <= total) {
        const page = await read(typeName, field, `${args}, first: 2 ${after}`);
        rows.push(...page.nodes.map(({ id }) => id));
        if (!page.pageInfo.hasNextPage) break;
        after = `after: "${page.pageInfo.endCursor}"`;
      }
      expect(rows).toEqual(nodes.map(({ id }) => id));
    },
  );
});

test('pages of users by the day of their activity have every user once', async () => {
  const day = new Date(new Date().setUTCHours(0, 0, 0, 0));
  await db.user.updateMany({ data: { lastActivityOn: day } });
  const active: string[] = [];
  let after = '';
  while (active.length <= 2) {
    const query = `{ admin { userActivities(first: 1 ${after}) {
      nodes { username } pageInfo { hasNextPage endCursor } } } }`;
    const { body } = await send(root, query);
    expect(body.errors).toBeUndefined();
    const { nodes, pageInfo } = (body.data as unknown as Activities).admin.userActivities;
    active.push(...nodes.map(({ username }) => username));
    if (!pageInfo.hasNextPage) break;
    after = `after: "${pageInfo.endCursor}"`;
  }
  expect(active).toEqual(['root', 'ada']);
});

interface Activities {
  readonly admin: {
    readonly userActivities: Pick<Listing, 'pageInfo'> & {
      readonly nodes: readonly { readonly username: string }[];
    };
  };
}

/** Keys that no column holds. */
const neverKeys = [true, {}, [], 1.5, 2 ** 31, -(2 ** 31) - 1, 1e300, 'a\0b', '\ud800'];
/** Keys that only text columns hold. */
const texts = ['', 'abc', 'é'.repeat(2_000), '1', 'now', 'infinity'];
const badTimes = [
  ...['0000-01-01', '2017-13-01', '99999-01-01', '2017-01-01 '],
  ...['0000-01-01T00:00:00+00:00', '2017-13-01T00:00:00+00:00', '99999-01-01T00:00:00+00:00'],
  ...['0001-01-01T00:00:00+12:00', '2017-01-01T00:00:00+99:00'],
];

/** The forged keys of an order, by the type of its column. */
const forgedKeys = (order: string): readonly unknown[] => {
  if (/_AT$/.test(order)) return [null, 1, ...neverKeys, ...texts, ...badTimes];
  if (order === 'USER_ID') return [...neverKeys, ...texts];
  return /ID$/.test(order) ? [null, ...neverKeys, ...texts] : [null, 1, ...neverKeys];
};

const invalid = {
  extensions: { code: 'INVALID', fields: { after: ['is not a cursor of this listing'] } },
};

// jobs and releases are paged by ids or places, so that some of these are cursors of theirs
test.each(orders.filter(([, field]) => !['jobs', 'releases'].includes(field)))(
  'a forged cursor of %s.%s by %s is an error of the caller',
  async (typeName, field, order) => {
    for (const cursor of [
      ...forgedKeys(order).map((key) => [key, 1]),
      ...['x', ['x'], [null], [1], [1, -1], [1, 2 ** 31], ['a', 'b']],
    ]) {
      const after = Buffer.from(JSON.stringify(cursor)).toString('base64url');
      const document = documentOf(typeName, field, `orderBy: ${order}, after: "${after}"`);
      const { body } = await send(root, document);
      expect([cursor, body.errors]).toEqual([cursor, [expect.objectContaining(invalid)]]);
    }
  },
);

test('a cursor with a key is an error of a listing that is paged by offsets', async () => {
  const after = Buffer.from('["abc",1]').toString('base64url');
  const query = `{ project(id: "acme/app") { repository { branches(after: "${after}") { total } } } }`;
  const { body } = await send(root, query);
  expect(body.errors).toEqual([expect.objectContaining(invalid)]);
});
