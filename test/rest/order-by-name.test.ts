import { describe, expect, test } from 'vitest';
import { graphqlClientOf } from '../support/graphql.ts';
import { soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const ada = await seed.user('ada');
const graphql = graphqlClientOf(url);
const soap = soapClientOf(url).as(ada);

/** In an order in which neither ids nor paths agree with the names. */
const names = ['Zinc', 'apple', 'Éclair', 'Mango', 'berry', 'éclair 2', 'zebra', 'Apple', 'MANGO'];
const ascending = [
  'apple',
  'Apple',
  'berry',
  'Mango',
  'MANGO',
  'zebra',
  'Zinc',
  'Éclair',
  'éclair 2',
];
const descending = ascending.toReversed();

const { id: acme } = await seed.group('acme', { owner: ada });
for (const [n, name] of names.entries()) {
  await seed.group(`top-${n}`, { owner: ada }, { name });
  await seed.group(`acme/sub-${n}`, {}, { name });
  await seed.project(`acme/app-${n}`, {}, { name });
}

const named = (body: unknown) =>
  (body as { name: string }[]).map(({ name }) => name).filter((name) => names.includes(name));

describe('order_by=name ignores case, and the id settles ties', () => {
  test.each([
    '/groups?all_available=false&search=top-',
    `/groups/${acme}/subgroups?`,
    `/groups/${acme}/projects?`,
    '/projects?search=app-',
  ])('%s', async (path) => {
    const list = async (sort: string) =>
      named((await as(ada).get(`${path}&order_by=name&sort=${sort}`)).body);
    expect(await list('asc')).toEqual(ascending);
    expect(await list('desc')).toEqual(descending);
  });

  test('no row is on two pages', async () => {
    const page = async (number: number) =>
      named(
        (
          await as(ada).get(
            `/groups/${acme}/projects?order_by=name&sort=asc&per_page=2&page=${number}`,
          )
        ).body,
      );
    const pages = await Promise.all([1, 2, 3, 4, 5].map(page));
    expect(pages.flat()).toEqual(ascending);
  });

  test('in SOAP and GraphQL as in REST', async () => {
    const response = await soap('project.list', [
      { search: 'app-', order_by: 'name', sort: 'asc' },
    ]);
    expect(named(response.result)).toEqual(ascending);
    const groups = await soap('group.list', [{ search: 'top-' }]);
    expect(named(groups.result)).toEqual(ascending);
    const { body } = await graphql(
      ada,
      `{ projects(filter: { search: "app-" }, orderBy: NAME, sort: DESC) { nodes { name } } }`,
    );
    expect(
      named((body.data as unknown as { projects: { nodes: unknown } }).projects.nodes),
    ).toEqual(descending);
  });
});
