import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const ada = await seed.user('ada');
const names = ['delta', 'alpha', 'epsilon', 'beta', 'gamma'];
const ids: number[] = [];
for (const name of names) ids.push((await seed.project(`ada/${name}`)).id);

interface Row {
  readonly id: number;
  readonly name: string;
}

interface Page {
  readonly rows: readonly Row[];
  readonly headers: Headers;
  /** The path and query of the next page. */
  readonly next: string | null;
}

const api = `${url}/api/v4`;

async function pageAt(client: Client, path: string): Promise<Page> {
  const response = await client.fetch(path);
  expect(response.status).toBe(200);
  const link = response.headers.get('Link');
  const target = link === null ? null : (/^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? link);
  return {
    rows: (await response.json()) as readonly Row[],
    headers: response.headers,
    next: target?.startsWith(api) ? target.slice(api.length) : target,
  };
}

/** The rows of all pages, as a client that follows links reads them. */
async function walk(client: Client, path: string): Promise<readonly Row[][]> {
  const pages: Row[][] = [];
  for (let next: string | null = path; next !== null; ) {
    const page: Page = await pageAt(client, next);
    pages.push([...page.rows]);
    next = page.next;
  }
  return pages;
}

const namesOf = (pages: readonly Row[][]) => pages.map((rows) => rows.map(({ name }) => name));

describe('pagination=keyset', () => {
  test('links each page to the next one, without totals', async () => {
    const path = '/projects?pagination=keyset&order_by=id&sort=asc&per_page=2&page=7';
    const { rows, headers, next } = await pageAt(as(ada), path);
    expect(rows.map(({ name }) => name)).toEqual(['delta', 'alpha']);
    expect([...headers.keys()].filter((name) => /^x-.*(page|total)/.test(name))).toEqual([]);
    expect(next).toMatch(
      /^\/projects\?cursor=[\w-]+&order_by=id&pagination=keyset&per_page=2&sort=asc$/,
    );
    expect(namesOf(await walk(as(ada), path))).toEqual([
      ['delta', 'alpha'],
      ['epsilon', 'beta'],
      ['gamma'],
    ]);
  });

  test.each([
    ['order_by=name&sort=asc', ['alpha', 'beta', 'delta', 'epsilon', 'gamma']],
    ['order_by=created_at&sort=desc', ['gamma', 'beta', 'epsilon', 'alpha', 'delta']],
    ['order_by=id&sort=desc&search=ta&simple=true', ['beta', 'delta']],
    [`order_by=id&sort=asc&id_after=${ids[1]}`, ['epsilon', 'beta', 'gamma']],
    [`order_by=id&id_before=${ids[2]}&id_after=${ids[0]}`, ['alpha']],
  ])('keeps the order and the filters: %s', async (query, expected) => {
    const pages = await walk(as(ada), `/projects?pagination=keyset&per_page=2&${query}`);
    expect(namesOf(pages).flat()).toEqual(expected);
  });

  test('repeats no row and leaves none out if rows are added and deleted between pages', async () => {
    const eve = await seed.user('eve');
    for (const name of ['one', 'two', 'three']) await seed.project(`eve/${name}`);
    const path = '/users/eve/projects?pagination=keyset&order_by=id&sort=desc&per_page=2';
    const first = await pageAt(as(eve), path);
    await seed.project('eve/added');
    await as(eve).delete(`/projects/${first.rows[0]?.id}`);
    const rest = await walk(as(eve), first.next ?? '');
    expect(namesOf([[...first.rows], ...rest])).toEqual([['three', 'two'], ['one']]);
  });

  test('reads listings of a project and of a repository', async () => {
    const carl = await seed.user('carl');
    const { id } = await seed.project('carl/planned');
    await seed.push('carl/planned', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    for (const title of ['one', 'two', 'three'])
      await as(carl).post(`/projects/${id}/issues`, { title });
    const issues = await walk(as(carl), `/projects/${id}/issues?pagination=keyset&per_page=2`);
    expect(
      issues.map((rows) => rows.map((row) => (row as unknown as { iid: number }).iid)),
    ).toEqual([[3, 2], [1]]);
    const tree = await walk(
      as(carl),
      `/projects/${id}/repository/tree?pagination=keyset&per_page=2`,
    );
    expect(namesOf(tree)).toEqual([['a.txt', 'b.txt'], ['c.txt']]);
  });

  test('responds with 400 to a cursor of another listing and to no cursor', async () => {
    const path = '/projects?pagination=keyset&order_by=id';
    const foreign = Buffer.from(JSON.stringify(['alpha', 1])).toString('base64url');
    for (const cursor of ['nonsense', foreign]) {
      expect(await as(ada).get(`${path}&cursor=${cursor}`)).toEqual({
        status: 400,
        body: { message: { cursor: ['is not a cursor of this listing'] } },
      });
    }
    expect(await as(ada).get(`${path}&cursor[]=x`)).toEqual({
      status: 400,
      body: { error: 'cursor is invalid' },
    });
  });

  test('hides the same projects as the pages by number', async () => {
    const bob = await seed.user('bob');
    expect(await walk(as(bob), '/projects?pagination=keyset')).toEqual([[]]);
    expect(await as(bob).get('/users/ada/projects?pagination=keyset')).toEqual({
      status: 200,
      body: [],
    });
    expect((await as(null).get('/issues?pagination=keyset')).status).toBe(401);
  });
});

test('gitbeaker reads all pages by keys', async () => {
  const client = new Gitlab({ host: url, token: ada.token });
  const projects = await client.Projects.all({
    pagination: 'keyset',
    orderBy: 'id',
    sort: 'asc',
    perPage: 2,
  });
  expect(projects.map(({ name }) => name)).toEqual(['delta', 'alpha', 'epsilon', 'beta', 'gamma']);
});
