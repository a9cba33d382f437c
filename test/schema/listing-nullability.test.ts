import {
  type GraphQLField,
  getNamedType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { growingWorld } from '../support/growing-world.ts';
import { publicQueriesOn, publicSchema } from '../support/public-queries.ts';

const world = await growingWorld();
const { plain, databaseUrl, git, jobFiles, root, ada, group, project, sha } = world;
const queries = publicQueriesOn(databaseUrl, { git, jobFiles });
afterAll(() => queries.close());
const bob = await plain.user.findUniqueOrThrow({ where: { usernameKey: 'bob' } });
const tool = await plain.project.findFirstOrThrow({ where: { fullPath: 'ada/tool' } });
await plain.project.update({ where: { id: tool.id }, data: { visibility: 'private' } });
await plain.member.create({ data: { projectId: tool.id, userId: bob.id, accessLevel: 10 } });
await plain.runner.updateMany({ data: { isShared: false } });

const inProject = (below: string) => `project(id: "${project.id}") { ${below} }`;
const firstOf = (listing: string) => inProject(`${listing}(first: 1) { nodes { FIELD } }`);

/** Where a record of each type with listings is: `FIELD` stands for its field. */
const places: Readonly<Record<string, string>> = {
  Project: inProject('FIELD'),
  Group: `group(id: "${group.id}") { FIELD }`,
  Namespace: inProject('namespace { FIELD }'),
  User: 'user(by: { username: "ada" }) { FIELD }',
  Issue: firstOf('issues'),
  MergeRequest: firstOf('mergeRequests'),
  Milestone: inProject('mergeRequests(first: 1) { nodes { milestone { FIELD } } }'),
  Snippet: firstOf('snippets'),
  Note: inProject('events(filter: { targetType: NOTE }) { nodes { note { FIELD } } }'),
  BoardList: inProject('boards { nodes { lists { FIELD } } }'),
  Hook: firstOf('hooks'),
  Environment: firstOf('environments'),
  Release: firstOf('releases'),
  Pipeline: inProject('lastPipeline { FIELD }'),
  Runner: firstOf('jobs').replace('FIELD', 'runner { FIELD }'),
  Repository: inProject('repository { FIELD }'),
  Commit: inProject(`repository { commit(ref: "${sha}") { FIELD } }`),
  Wiki: inProject('wiki { FIELD }'),
  SearchResults: 'search(query: "app") { FIELD }',
  Admin: 'admin { FIELD }',
};

/** Records of which a guest of a private project may see less than others. */
const ofGuest: Readonly<Record<string, string>> = {
  Project: 'project(id: "ada/tool") { FIELD }',
};

/** Nullable for another reason: the ref or path of the first may not exist. */
const otherwise: ReadonlySet<string> = new Set([
  'Repository.commits',
  'Repository.tree',
  'Repository.contributors',
  'Commit.tree',
  // null in another type of the same interface, and one document selects the field of both
  ...['awardEmojis', 'notes', 'discussions'].flatMap((name) => [
    `Issue.${name}`,
    `Snippet.${name}`,
  ]),
]);

type Field = GraphQLField<unknown, unknown>;

const isListing = ({ type, args }: Field): boolean => {
  const page = getNamedType(type);
  const interfaces = isObjectType(page) ? page.getInterfaces() : [];
  return interfaces.some(({ name }) => name === 'Page') && !args.some(isRequiredArgument);
};

const listings = Object.values(publicSchema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && type !== publicSchema.getQueryType()
    ? Object.values(type.getFields())
        .filter(isListing)
        .map((field) => [`${type.name}.${field.name}`, type.name, field] as const)
    : [],
);

/** The values of the fields with the alias `listing`. */
function listingsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    key === 'listing' ? [below] : listingsIn(below),
  );
}

/** The listing as the caller reads it, if the caller sees its parent; fails for an error. */
async function readBy(userId: number | null, place: string, field: string) {
  const viewer = userId === null ? null : await viewerOf(plain, userId);
  const document = `{ ${place.replace('FIELD', `listing: ${field} { pageInfo { hasNextPage } }`)} }`;
  return listingsIn((await queries.run(document, viewer)).data);
}

describe('a listing is null exactly for users who may not see it', () => {
  test.each(listings)('%s', async (path, type, { name, type: page }) => {
    const place = places[type] ?? '';
    expect(place).not.toBe('');
    const values = [
      ...(await readBy(null, place, name)),
      ...(await readBy(bob.id, place, name)),
      ...(ofGuest[type] ? await readBy(bob.id, ofGuest[type], name) : []),
      ...(await readBy(ada.id, place, name)),
      ...(await readBy(root.id, place, name)),
    ];
    expect(values).toContainEqual({ pageInfo: expect.anything() });
    if (!otherwise.has(path)) expect(values.includes(null)).toBe(!isNonNullType(page));
  });
});
