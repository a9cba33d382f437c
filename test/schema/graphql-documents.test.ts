import { type DocumentNode, parse, visit } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { codeBlocks } from '../support/documentation.ts';
import { growingWorld } from '../support/growing-world.ts';
import { publicQueriesOn } from '../support/public-queries.ts';

const { as, plain, databaseUrl, git, jobFiles, ada, issue, project, firstMerge, pipelineId, grow } =
  await growingWorld();
const queries = publicQueriesOn(databaseUrl, { git, jobFiles });
afterAll(() => queries.close());

await as(ada).post(`/projects/${project.id}/wikis`, { title: 'Home', content: 'Welcome.' });
const { id: jobId } = await plain.job.findFirstOrThrow({ where: { pipelineId } });

/** The documents of docs/graphql.md that are complete screens. */
const documents = codeBlocks('docs/graphql.md')
  .filter(({ marks }) => marks.includes('document'))
  .map(({ code }) => [/^query (\w+)/.exec(code)?.[1] ?? code, code] as const);

const variables: Readonly<Record<string, unknown>> = {
  project: 'acme/app',
  group: 'acme',
  username: 'ada',
  issue: issue.issue_iid,
  mergeRequest: firstMerge.iid,
  pipeline: pipelineId,
  job: `Job:${jobId}`,
  path: 'README.md',
  ref: 'master',
  from: 'master',
  to: 'master',
  slug: 'Home',
  text: 'app',
};

/**
 * The lists and records that a document leads to, the counts of others, and its levels, at each of
 * which access may be decided.
 */
function listsAndLevelsOf(document: DocumentNode): number {
  let lists = 0;
  let level = 0;
  let levels = 0;
  visit(document, {
    Field: {
      enter: ({ name, selectionSet }) => {
        if (name.value.endsWith('Count')) lists += 1;
        if (!selectionSet || name.value === 'nodes') return;
        lists += 1;
        level += 1;
        levels = Math.max(levels, level);
      },
      leave: ({ name, selectionSet }) => {
        if (selectionSet && name.value !== 'nodes') level -= 1;
      },
    },
  });
  return lists + levels;
}

/** The variables that a document declares. */
function variablesOf(document: DocumentNode) {
  const given: Record<string, unknown> = {};
  visit(document, {
    VariableDefinition: ({ variable }) => {
      given[variable.name.value] = variables[variable.name.value];
    },
  });
  return given;
}

async function statementsOf(code: string): Promise<number> {
  const viewer = await viewerOf(plain, ada.id);
  const { queries: statements } = await queries.run(code, viewer, variablesOf(parse(code)));
  return statements.length;
}

describe('a screen is one document', async () => {
  const before = new Map<string, number>();
  for (const [name, code] of documents) before.set(name, await statementsOf(code).catch(() => -1));
  await grow();

  test('there are twenty-five', () => {
    expect(documents).toHaveLength(25);
    expect(new Set(documents.map(([name]) => name)).size).toBe(25);
  });

  test.each(documents)('%s costs at most one statement per list and level', async (name, code) => {
    const statements = await statementsOf(code);
    expect(statements).toBeLessThanOrEqual(listsAndLevelsOf(parse(code)));
    expect(statements - (before.get(name) ?? 0)).toBeLessThanOrEqual(2);
  });
});
