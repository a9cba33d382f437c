import { execute, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { publicView } from '../../schema/public/view.ts';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { graphqlClientOf, refusal } from '../support/graphql.ts';
import { countedDatabase } from '../support/queries.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, db, url, root, databaseUrl } = await world();
const send = graphqlClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const gus = await seed.user('gus');
const eve = await seed.user('needle-eve', { isExternal: true });

const created = async (user: TestUser, path: string, body: object) => {
  const response = await as(user).post(path, { ...body });
  expect(response.status).toBe(201);
  return response.body as { readonly id: number; readonly iid: number };
};

/** Records of each kind whose names contain `needle`, in a project of this visibility. */
async function fill(name: string, visibility: string) {
  const group = await seed.group(`needle-${name}`, { owner: ada, guest: gus }, { visibility });
  const path = `needle-${name}/needle-${name}`;
  const project = await seed.project(path, {}, { visibility, snippets_enabled: true });
  await seed.push(path, { 'README.md': 'hello' });
  const at = `/projects/${project.id}`;
  await created(ada, `${at}/repository/branches`, { branch: 'topic', ref: 'master' });
  await created(ada, `${at}/issues`, { title: `Needle ${name}` });
  await created(ada, `${at}/issues`, { title: `Needle secret ${name}`, confidential: true });
  await created(ada, `${at}/merge_requests`, {
    title: `Needle ${name}`,
    source_branch: 'topic',
    target_branch: 'master',
  });
  await created(ada, `${at}/milestones`, { title: `Needle ${name}` });
  await created(ada, `/groups/${group.id}/milestones`, { title: `Needle group ${name}` });
  await created(ada, `${at}/milestones`, { title: 'Hay' });
  for (const shown of ['public', 'private']) {
    const file = { file_name: 'a.txt', code: 'x', visibility: shown };
    await created(ada, `${at}/snippets`, { ...file, title: `Needle ${shown} ${name}` });
  }
  return project;
}

await fill('open', 'public');
const hidden = await fill('hidden', 'private');
for (const visibility of ['public', 'internal', 'private']) {
  await created(ada, '/snippets', {
    title: `Own ${visibility}`,
    file_name: 'needle.txt',
    content: 'x',
    visibility,
  });
}

const kinds = {
  projects: 'fullPath',
  groups: 'fullPath',
  users: 'username',
  issues: 'title',
  mergeRequests: 'title',
  milestones: 'title',
  snippets: 'title',
} as const;

const query = `query ($query: String!) {
  search(query: $query) {
    ${Object.entries(kinds)
      .map(([kind, name]) => `${kind} { total nodes { name: ${name} } }`)
      .join('\n')}
  }
}`;

type Listing = { readonly total: number; readonly nodes: readonly { readonly name: string }[] };

/** The names of the records found, sorted, by kind; null for kinds that are null. */
async function search(user: TestUser | null, text = 'NEEDLE') {
  const { body } = await send(user, query, { query: text });
  expect(body.errors).toBeUndefined();
  const { search: results } = body.data as unknown as {
    readonly search: Readonly<Record<string, Listing | null>>;
  };
  return Object.fromEntries(
    Object.entries(results).map(([kind, listing]) => {
      const names = listing?.nodes.map(({ name }) => name).sort() ?? null;
      expect(listing?.total).toBe(names?.length);
      return [kind, names];
    }),
  );
}

const project = (name: string) => `needle-${name}/needle-${name}`;

describe('search', () => {
  test('finds the public records for a user without memberships', async () => {
    expect(await search(bob)).toEqual({
      projects: [project('open')],
      groups: ['needle-open'],
      users: ['needle-eve'],
      issues: ['Needle open'],
      mergeRequests: ['Needle open'],
      milestones: ['Needle group open', 'Needle open'],
      snippets: ['Needle public open', 'Own internal', 'Own public'],
    });
  });

  test('finds no internal records for an external user', async () => {
    expect((await search(eve)).snippets).toEqual(['Needle public open', 'Own public']);
  });

  test('finds for a guest what guests see of a private project', async () => {
    expect(await search(gus)).toEqual({
      projects: [project('hidden'), project('open')],
      groups: ['needle-hidden', 'needle-open'],
      users: ['needle-eve'],
      issues: ['Needle hidden', 'Needle open'],
      mergeRequests: ['Needle open'],
      milestones: ['Needle group hidden', 'Needle group open', 'Needle hidden', 'Needle open'],
      snippets: [
        'Needle private hidden',
        'Needle private open',
        'Needle public hidden',
        'Needle public open',
        'Own internal',
        'Own public',
      ],
    });
  });

  test('finds all records for the owner and for an administrator', async () => {
    const all = await search(ada);
    expect(all.issues).toHaveLength(4);
    expect(all.mergeRequests).toHaveLength(2);
    expect(all.snippets).toHaveLength(7);
    expect(await search(root)).toEqual(all);
  });

  test('gives an anonymous user public projects, groups and merge requests', async () => {
    expect(await search(null)).toEqual({
      projects: [project('open')],
      groups: ['needle-open'],
      users: null,
      issues: null,
      mergeRequests: ['Needle open'],
      milestones: null,
      snippets: null,
    });
  });

  test('pages each kind on its own', async () => {
    const paged = `query ($after: String) {
      search(query: "needle") {
        issues(first: 1, after: $after) { nodes { title } pageInfo { hasNextPage endCursor } }
        milestones(perPage: 3, page: 2) { total nodes { title } }
      }
    }`;
    const page = async (after: string | null) =>
      ((await send(ada, paged, { after })).body.data as unknown as Record<'search', object>).search;
    const first = await page(null);
    expect(first).toMatchObject({
      issues: { nodes: [{ title: 'Needle secret hidden' }], pageInfo: { hasNextPage: true } },
      milestones: { total: 4, nodes: [{ title: 'Needle open' }] },
    });
    const { issues } = first as { issues: { pageInfo: { endCursor: string } } };
    expect(await page(issues.pageInfo.endCursor)).toMatchObject({
      issues: { nodes: [{ title: 'Needle hidden' }] },
    });
  });

  test('reads only the kinds that are selected', async () => {
    const { db: counted, queriesOf } = countedDatabase(databaseUrl);
    const viewer = await viewerOf(db, bob.id);
    const contextValue = { db: counted, viewer, baseUrl: url };
    const statements = async (selection: string) => {
      const document = parse(`{ search(query: "needle") { ${selection} } }`);
      const queries = await queriesOf(async () => {
        const result = await execute({ schema: publicView(schema), document, contextValue });
        expect(result.errors).toBeUndefined();
      });
      return queries.length;
    };
    expect(await statements('__typename')).toBe(0);
    expect(await statements('milestones { total }')).toBe(1);
    expect(await statements('milestones { total } snippets { total }')).toBe(2);
    await counted.$disconnect();
  });

  test('hides records of a disabled feature', async () => {
    const features = ['issues', 'merge_requests', 'snippets'];
    const off = Object.fromEntries(features.map((name) => [`${name}_enabled`, false]));
    await as(ada).put(`/projects/${hidden.id}`, off);
    const matches = await search(root);
    expect(matches.issues).toEqual(['Needle open', 'Needle secret open']);
    expect(matches.mergeRequests).toEqual(['Needle open']);
    expect(matches.snippets).not.toContain('Needle public hidden');
  });

  test('finds archived projects, and treats % as a character', async () => {
    await as(ada).post(`/projects/${hidden.id}/archive`);
    expect((await search(ada)).projects).toContain(project('hidden'));
    expect((await search(ada, '%e%')).projects).toEqual([]);
  });

  test.each([
    ['', 'is too short (minimum is 2 characters)'],
    [' x ', 'is too short (minimum is 2 characters)'],
    ['x'.repeat(256), 'is too long (maximum is 255 characters)'],
  ])('rejects the text "%s"', async (text, message) => {
    expect(await send(ada, query, { query: text })).toEqual(
      refusal('INVALID', 'Invalid input', { query: [message] }),
    );
  });

  test.each(['xy', '🪡🪡', 'x'.repeat(255)])('accepts the text "%s"', async (text) => {
    expect((await search(ada, text)).projects).toEqual([]);
  });
});
