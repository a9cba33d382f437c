import { expect, test } from 'vitest';
import { graphqlClientOf } from '../../support/graphql.ts';
import { world } from '../../support/world.ts';

const { seed, url, root } = await world();
const send = graphqlClientOf(url);
const ada = await seed.user('ada');
const acme = await seed.group('acme', { owner: ada }, { visibility: 'public' });
await seed.group('team', { master: ada }, { visibility: 'public' });
await seed.group('hidden', {}, { visibility: 'private' });
await seed.project('acme/app', { master: ada }, { visibility: 'public' });

/** The error of a mutation, without what differs between its inputs. */
async function errorOf(mutation: string) {
  const { body } = await send(ada, `mutation { ${mutation} { __typename } }`);
  return (body.errors as { message: string; extensions: object }[]).map(
    ({ message, extensions }) => ({ message, extensions }),
  );
}

test('a mutation accepts the full path of a group or project', async () => {
  const document = `mutation {
    createGroup(input: { parentId: "ACME", name: "Web", path: "web" }) { group { fullPath } }
    createProject(input: { namespaceId: "acme/web", path: "site" }) { project { fullPath } }
    shareProject(input: { id: "acme/app", groupId: "team", accessLevel: REPORTER }) {
      project { fullPath }
      link { group { fullPath } }
    }
    unshareProject(input: { id: "acme/app", groupId: "team" }) { group { fullPath } }
  }`;
  expect((await send(ada, document)).body).toEqual({
    data: {
      createGroup: { group: { fullPath: 'acme/web' } },
      createProject: { project: { fullPath: 'acme/web/site' } },
      shareProject: {
        project: { fullPath: 'acme/app' },
        link: { group: { fullPath: 'team' } },
      },
      unshareProject: { group: { fullPath: 'team' } },
    },
  });
});

test.each([
  [
    'createGroup',
    (path: string) => `createGroup(input: { parentId: "${path}", name: "x", path: "x" })`,
  ],
  [
    'createProject',
    (path: string) => `createProject(input: { namespaceId: "${path}", path: "x" })`,
  ],
  [
    'shareProject',
    (path: string) =>
      `shareProject(input: { id: "acme/app", groupId: "${path}", accessLevel: GUEST })`,
  ],
])('%s responds to the path of a hidden group as to an unknown one', async (_name, mutation) => {
  const hidden = await errorOf(mutation('hidden'));
  expect(hidden).toEqual(await errorOf(mutation('unknown')));
  expect(hidden).toEqual(await errorOf(mutation('2000000000')));
});

test('a list accepts the full paths of what it leaves out', async () => {
  const { body } = await send(
    root,
    '{ groups(filter: { skipIds: ["acme", "unknown"], search: "e" }) { nodes { path } } }',
  );
  expect(body).toEqual({
    data: { groups: { nodes: [{ path: 'hidden' }, { path: 'team' }, { path: 'web' }] } },
  });
});

test('an argument accepts the id of a group as that of a namespace, and the reverse', async () => {
  const { body } = await send(
    ada,
    `mutation {
      createProject(input: { namespaceId: "Group:${acme.id}", path: "by-group" }) {
        project { fullPath }
      }
      createGroup(input: { parentId: "Namespace:${acme.id}", name: "x", path: "x" }) {
        group { fullPath }
      }
    }`,
  );
  expect(body).toEqual({
    data: {
      createProject: { project: { fullPath: 'acme/by-group' } },
      createGroup: { group: { fullPath: 'acme/x' } },
    },
  });
});
