import { execute, parse } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { publicQueriesOn } from '../support/public-queries.ts';
import { countedDatabase } from '../support/queries.ts';
import { world } from '../support/world.ts';

const { as, seed, databaseUrl, db } = await world();
const ada = await seed.user('ada');
const { id: app } = await seed.project('ada/app', {});

interface Issue {
  readonly id: number;
  readonly iid: number;
}

const created = async (path: string, body: object) =>
  (await as(ada).post(`/projects/${app}/${path}`, { ...body })).body as Issue;

const issues: Issue[] = [];
for (const title of ['One', 'Two', 'Three']) issues.push(await created('issues', { title }));
const note = await created(`issues/${issues[0]?.iid}/notes`, { body: 'Yes' });
const milestone = await created('milestones', { title: '1.0' });

const viewer = await viewerOf(db, ada.id);
const queries = publicQueriesOn(databaseUrl, {} as Pick<Context, 'git' | 'jobFiles'>);
const counted = countedDatabase(databaseUrl);
afterAll(() => Promise.all([queries.close(), counted.db.$disconnect()]));

/** The number of statements of a document of the core. */
async function coreStatements(document: string): Promise<number> {
  const contextValue = {
    viewer,
    db: counted.db,
    request: { id: '', address: '' },
  } as unknown as Context;
  const statements = await counted.queriesOf(async () => {
    const result = await execute({ schema, document: parse(document), contextValue });
    expect(result.errors).toBeUndefined();
  });
  return statements.length;
}

describe('a mutation by the id of its record', () => {
  const place = `project: "${app}", iid: ${issues[0]?.iid}`;
  const noteable = `noteable: { issue: { ${place} } }`;

  test.each([
    [
      'an issue',
      `setIssueTimeEstimate(input: { id: ${issues[0]?.id}, duration: "1h" })`,
      `setIssueTimeEstimate(${place}, duration: "1h")`,
    ],
    [
      'a note',
      `updateNote(input: { id: ${note.id}, body: "No" })`,
      `updateNote(${noteable}, id: ${note.id}, body: "No")`,
    ],
    [
      'a milestone',
      `updateMilestone(input: { id: ${milestone.id}, title: "1.1" })`,
      `updateMilestone(source: { project: "${app}" }, id: ${milestone.id}, title: "1.1")`,
    ],
  ])('costs one statement more than by the parents of %s', async (_record, byId, byParents) => {
    const core = `mutation { ${byParents} { __typename } }`;
    // the first time changes the record, the others do not
    await coreStatements(core);
    const { queries: statements } = await queries.run(
      `mutation { ${byId} { __typename } }`,
      viewer,
    );
    expect(statements).toHaveLength((await coreStatements(core)) + 1);
  });
});

test('several nodes of a type are read with two statements, as one is', async () => {
  const nodesOf = (records: readonly Issue[]) =>
    `{ ${records.map(({ id }) => `i${id}: node(id: "Issue:${id}") { id }`).join(' ')} }`;
  const { queries: one } = await queries.run(nodesOf(issues.slice(0, 1)), viewer);
  const { queries: three } = await queries.run(nodesOf(issues), viewer);
  expect([one.length, three.length]).toEqual([2, 2]);
});

test('the rows of a page are read once, however many aliases select the same of them', async () => {
  const rows = 'nodes { id title author { username } project { id access { level } } }';
  const statements = async (document: string) => {
    const { data, queries: statements } = await queries.run(document, viewer);
    expect(data).toMatchObject({ issues: { first: [{}, {}, {}] } });
    return statements.length;
  };
  const once = await statements(`{ issues { first: ${rows} } }`);
  expect(await statements(`{ issues { first: ${rows} second: ${rows} } }`)).toBe(once);
});
