import {
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { growingWorld } from '../support/growing-world.ts';
import { publicQueriesOn, publicSchema } from '../support/public-queries.ts';

const { plain, databaseUrl, git, jobFiles, ada, project, grow } = await growingWorld();
const queries = publicQueriesOn(databaseUrl, { git, jobFiles });
afterAll(() => queries.close());

const inProject = (below: string) => `project(id: "${project.id}") { ${below} }`;
const inIssue = (below: string) => inProject(`issues(perPage: 1) { nodes { ${below} } }`);
const inRepository = (below: string) => inProject(`repository { ${below} }`);

/** Where rows of a type are listed: the field, in which `ROWS` stands for its page arguments. */
const listedAt: Readonly<Record<string, string>> = {
  Project: 'projects(ROWS) { nodes { FIELD } }',
  Group: 'groups(ROWS) { nodes { FIELD } }',
  User: 'users(ROWS) { nodes { FIELD } }',
  Issue: 'issues(ROWS) { nodes { FIELD } }',
  MergeRequest: 'mergeRequests(ROWS) { nodes { FIELD } }',
  MergeRequestVersion: inProject(
    'mergeRequests(perPage: 1, sort: ASC) { nodes { versions(ROWS) { nodes { FIELD } } } }',
  ),
  Milestone: inProject('milestones(ROWS) { nodes { FIELD } }'),
  Label: inProject('labels(ROWS) { nodes { FIELD } }'),
  Snippet: inProject('snippets(ROWS) { nodes { FIELD } }'),
  Note: inIssue('notes(ROWS) { nodes { FIELD } }'),
  Discussion: inProject(
    'mergeRequests(perPage: 1, sort: ASC) { nodes { discussions(ROWS) { nodes { FIELD } } } }',
  ),
  CommitDiscussion: inRepository('commit(ref: "master") { discussions(ROWS) { nodes { FIELD } } }'),
  AwardEmoji: inIssue('awardEmojis(ROWS) { nodes { FIELD } }'),
  Event: inProject('events(ROWS) { nodes { FIELD } }'),
  Member: inProject('members(ROWS) { nodes { FIELD } }'),
  Hook: inProject('hooks(ROWS) { nodes { FIELD } }'),
  Pipeline: inProject('pipelines(ROWS) { nodes { FIELD } }'),
  Job: inProject('jobs(ROWS) { nodes { FIELD } }'),
  Runner: inProject('runners(ROWS) { nodes { FIELD } }'),
  Trigger: inProject('triggers(ROWS) { nodes { FIELD } }'),
  PipelineSchedule: inProject('pipelineSchedules(ROWS) { nodes { FIELD } }'),
  Environment: inProject('environments(ROWS) { nodes { FIELD } }'),
  Deployment: inProject('deployments(ROWS) { nodes { FIELD } }'),
  Board: 'projects(ROWS) { nodes { boards { nodes { FIELD } } } }',
  BoardList: 'projects(ROWS) { nodes { boards { nodes { lists { FIELD } } } } }',
  DeployKey: inProject('deployKeys(ROWS) { nodes { FIELD } }'),
  Release: inProject('releases(ROWS) { nodes { FIELD } }'),
  ReleaseLink: inProject(
    'releases(sort: ASC, perPage: 1) { nodes { links(ROWS) { nodes { FIELD } } } }',
  ),
  ProtectedBranch: inProject('protectedBranches(ROWS) { nodes { FIELD } }'),
  ProtectedTag: inProject('protectedTags(ROWS) { nodes { FIELD } }'),
  Todo: 'todos(ROWS) { nodes { FIELD } }',
  SshKey: 'currentUser { sshKeys(ROWS) { nodes { FIELD } } }',
  OauthApplication: 'currentUser { oauthApplications(ROWS) { nodes { FIELD } } }',
  OauthAuthorization: 'currentUser { oauthAuthorizations(ROWS) { nodes { FIELD } } }',
  Branch: inRepository('branches(ROWS) { nodes { FIELD } }'),
  Commit: inRepository('commits(ROWS) { nodes { FIELD } }'),
};

type Field = GraphQLField<unknown, unknown>;

const isLeaf = (field: Field) => {
  const type = getNamedType(field.type);
  return isScalarType(type) || isEnumType(type);
};

/** Whether a document can select the field without knowing anything of the data. */
const isPlain = ({ args }: Field) => !args.some(isRequiredArgument);

/** Values that only the key of the service opens, which this test does not have. */
const sealed: ReadonlySet<string> = new Set(['runnersToken', 'token', 'value', 'privateToken']);

/** All leaves of a type. */
const leavesOf = (type: GraphQLObjectType): string =>
  [
    '__typename',
    ...Object.values(type.getFields())
      .filter((field) => isLeaf(field) && isPlain(field) && !sealed.has(field.name))
      .map(({ name }) => name),
  ].join(' ');

/** The leaves of all types that an interface or union may be, each under a name of its own. */
const membersOf = (type: GraphQLAbstractType): string =>
  publicSchema
    .getPossibleTypes(type)
    .map((member) => {
      const leaves = leavesOf(member).split(' ');
      const named = leaves.map((name) => `${member.name}_${name}: ${name}`);
      return `... on ${member.name} { ${named.join(' ')} }`;
    })
    .join(' ');

/** The selection of a field: the leaves of its type; of a page the leaves of its rows. */
function selectionOf(field: Field): string {
  const type = getNamedType(field.type);
  if (isLeaf(field)) return field.name;
  if (isAbstractType(type)) return `${field.name} { __typename ${membersOf(type)} }`;
  if (!isObjectType(type)) return `${field.name} { __typename }`;
  const nodes = type.getFields().nodes;
  const row = nodes && getNamedType(nodes.type);
  if (!nodes) return `${field.name} { ${leavesOf(type)} }`;
  const below = isObjectType(row) ? leavesOf(row) : '__typename';
  return `${field.name} { nodes { ${below} } total pageInfo { hasNextPage endCursor } }`;
}

/** The own values of a type as one case, and each field that leads to other records as one. */
const cases = Object.entries(listedAt).flatMap(([name, listing]) => {
  const type = publicSchema.getType(name);
  if (!isObjectType(type)) return [];
  const edges = Object.values(type.getFields()).filter((field) => isPlain(field) && !isLeaf(field));
  return [
    [name, 'its values', listing, leavesOf(type)] as const,
    ...edges.map((field) => [name, field.name, listing, selectionOf(field)] as const),
  ];
});

/** More would be a statement for each of a few rows. */
const mostStatements = 12;

/** The number of statements that a page of `rows` rows costs, and of rows it has. */
async function costOf(listing: string, selection: string, rows: number) {
  const viewer = await viewerOf(plain, ada.id);
  const document = `{ ${listing.replace('ROWS', `perPage: ${rows}`).replace('FIELD', selection)} }`;
  const result = await queries.run(document, viewer);
  return result.queries.length;
}

describe('a field of many rows costs as many statements as of a few', async () => {
  await grow();

  test('every type with rows is listed', () => {
    const missing = Object.keys(listedAt).filter(
      (name) => !isObjectType(publicSchema.getType(name)),
    );
    expect(missing).toEqual([]);
  });

  // rows differ in what they refer to: both pages have several
  test.each(cases)('%s: %s', async (_type, _field, listing, selection) => {
    await costOf(listing, selection, 1);
    const many = await costOf(listing, selection, 50);
    expect(many).toBe(await costOf(listing, selection, 25));
    expect(many).toBeLessThan(mostStatements);
  });
});
