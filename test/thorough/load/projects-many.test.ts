import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');

await seed.group('red', { developer: ada });
await seed.group('red/deep');
const sharedGroup = await seed.group('partners');
const closed = await seed.group('closed');
await seed.project('red/alpha');
await seed.project('red/deep/beta');
await seed.project('partners/gamma', { guest: ada });
const delta = await seed.project('partners/delta');
const epsilon = await seed.project('closed/epsilon');
const zeta = await seed.project('closed/zeta', { master: ada });
await seed.project('closed/eta');
await seed.project('ada/theta');
const deep = await db.namespace.findFirstOrThrow({ where: { path: 'deep' } });
for (const [{ id }, expires_at] of [
  [delta, undefined],
  [epsilon, '2017-01-01'],
] as const) {
  const share = { group_id: deep.id, group_access: 20, expires_at };
  await as(root).post(`/projects/${id}/share`, share);
}
const expired = { expiresAt: new Date('2017-01-01') };
await db.member.updateMany({ where: { projectId: zeta.id }, data: expired });

/** Above 5000 ids, a subquery replaces the list of the current user’s projects and groups. */
const membershipCount = 5001;
const indexes = Array.from({ length: membershipCount }, (_, index) => index);

/** A group full of archived projects, each with `person` as a guest. */
async function createManyProjects(person: TestUser) {
  const { id: namespaceId } = await seed.group('full');
  const created = await db.project.createManyAndReturn({
    data: indexes.map((index) => ({
      namespaceId,
      name: `p${index}`,
      path: `p${index}`,
      fullName: `full / p${index}`,
      fullPath: `full/p${index}`,
      namespaceName: 'full',
      visibility: 'private' as const,
      storage: 'default',
      diskPath: `00/00/${index}`,
      isArchived: true,
      runnersTokenDigest: randomBytes(32),
      runnersTokenSealed: '',
    })),
    select: { id: true },
  });
  const [last, ...rest] = created;
  await db.member.createMany({
    data: rest.map(({ id }) => ({ userId: person.id, projectId: id, accessLevel: 10 })),
  });
  // through the API, which invalidates the cached permissions of the user before it responds
  await as(root).post(`/projects/${last?.id}/members`, { user_id: person.id, access_level: 10 });
}

/** Empty groups below a group of which `person` is a guest. */
async function createManyGroups(person: TestUser) {
  const { id: parentId } = await seed.group('wide');
  await db.namespace.createMany({
    data: indexes.map((index) => ({
      id: 1_000_000 + index,
      parentId,
      kind: 'group' as const,
      name: `g${index}`,
      path: `g${index}`,
      fullName: `wide / g${index}`,
      fullPath: `wide/g${index}`,
      ancestorIds: [parentId, 1_000_000 + index],
      visibility: 'private' as const,
    })),
  });
  await as(root).post(`/groups/${parentId}/members`, { user_id: person.id, access_level: 10 });
}

/** Everything that ada can see and change, except archived projects and groups below `wide`. */
async function accessOfAda() {
  const responses: unknown[] = [];
  for (const query of ['', '?membership=true', '?owned=true', '?search=partners', '?sort=asc']) {
    responses.push((await as(ada).get(`/projects${query}`)).body);
  }
  for (const path of ['alpha', 'deep%2Fbeta'].map((name) => `red%2F${name}`)) {
    responses.push(await as(ada).get(`/projects/${path}`));
  }
  for (const name of [
    'partners%2Fgamma',
    'partners%2Fdelta',
    'closed%2Fepsilon',
    'closed%2Fzeta',
  ]) {
    responses.push(await as(ada).get(`/projects/${name}`));
    responses.push(await as(ada).put(`/projects/${name}`, { description: 'x' }));
  }
  for (const { id } of [sharedGroup, closed])
    responses.push(await as(ada).get(`/groups/${id}/projects`));
  return responses;
}

test('a user with thousands of projects and groups has the same access as before', async () => {
  const before = await accessOfAda();
  expect(before[0]).toHaveLength(5);
  await createManyProjects(ada);
  expect(await accessOfAda()).toEqual(before);
  await createManyGroups(ada);
  expect(await accessOfAda()).toEqual(before);
}, 120_000);
