import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import type { PageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { RefPrefix } from '../ports/git/history.ts';
import { pipelinePage } from './rows.ts';
import { CiStatus } from './types.ts';

const PipelineOrder = builder.enumType('PipelineOrder', {
  values: ['id', 'status', 'ref', 'userId'] as const,
});

const PipelineScope = builder.enumType('PipelineScope', {
  values: {
    running: {},
    pending: {},
    finished: {},
    branches: { description: 'The newest of each branch that exists.' },
    tags: { description: 'The newest of each tag that exists.' },
  },
});

const PipelineFilter = builder.inputType('PipelineFilter', {
  fields: (t) => ({
    scope: t.field({ type: PipelineScope }),
    status: t.field({ type: CiStatus }),
    ref: t.string(),
    /** Only pipelines with an invalid CI file; false: only the others. */
    hasYamlErrors: t.boolean(),
    /** Of the user who triggered it. */
    name: t.string(),
    username: t.string(),
  }),
});

/** Arguments of a pipeline listing. */
export const pipelineListArgs = builder.args((t) => ({
  filter: t.field({ type: PipelineFilter }),
  orderBy: t.field({ type: PipelineOrder, defaultValue: 'id' as const }),
  sort: t.field({ type: SortDirection, defaultValue: 'desc' as const }),
}));

type Filter = Partial<typeof PipelineFilter.$inferInput>;

interface ListArgs extends PageArgs {
  readonly filter?: Filter | null | undefined;
  readonly orderBy?: typeof PipelineOrder.$inferInput | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

/** Statuses in alphabetical order, as clients know them. */
const columns = { id: 'id', status: 'status::text', ref: 'ref', userId: 'user_id' } as const;

type Listed = RepositoryAddress & { readonly id: number };

/** A page of a project's pipelines that match the filter. */
export async function listPipelines(
  project: Listed,
  { filter, orderBy, sort, ...page }: ListArgs,
  ctx: Pick<Context, 'db' | 'git'>,
) {
  const scope = await inScope(project, filter?.scope, ctx);
  return pipelinePage(ctx, {
    where: allOf([Prisma.sql`project_id = ${project.id}`, ...scope, ...matching(filter ?? {})]),
    column: columns[orderBy ?? 'id'],
    direction: sort ?? 'desc',
    page,
  });
}

function matching({ status, ref, hasYamlErrors, name, username }: Filter): Prisma.Sql[] {
  return [
    ...(status ? [Prisma.raw(`status = '${status}'`)] : []),
    ...(typeof ref === 'string' ? [Prisma.sql`ref = ${ref}`] : []),
    ...(typeof hasYamlErrors === 'boolean'
      ? [Prisma.raw(`yaml_errors IS ${hasYamlErrors ? 'NOT ' : ''}NULL`)]
      : []),
    ...(typeof name === 'string'
      ? [Prisma.sql`user_id IN (SELECT id FROM users WHERE name = ${name})`]
      : []),
    ...(typeof username === 'string'
      ? [
          Prisma.sql`user_id IN (
            SELECT id FROM users WHERE username_key = ${username.toLowerCase()})`,
        ]
      : []),
  ];
}

type Scope = NonNullable<Filter['scope']>;

const states: Readonly<Partial<Record<Scope, string>>> = {
  running: `status = 'running'`,
  pending: `status = 'pending'`,
  finished: `status IN ('success', 'failed', 'canceled')`,
};

async function inScope(
  project: Listed,
  scope: Scope | null | undefined,
  { git }: Pick<Context, 'git'>,
): Promise<Prisma.Sql[]> {
  if (!scope) return [];
  const state = states[scope];
  if (state) return [Prisma.raw(state)];
  const isTag = scope === 'tags';
  const names = await namesBelow(project, isTag ? 'refs/tags/' : 'refs/heads/', git);
  // one index lookup per name, however many pipelines there are
  return [
    Prisma.sql`id = ANY(ARRAY(
      SELECT (SELECT newest.id FROM pipelines newest
        WHERE newest.project_id = ${project.id} AND newest.ref = name AND newest.is_tag = ${isTag}
        ORDER BY newest.id DESC LIMIT 1)
      FROM unnest(${names}::text[]) name))`,
  ];
}

async function namesBelow(
  project: RepositoryAddress,
  prefix: RefPrefix,
  git: Context['git'],
): Promise<string[]> {
  const refs = await git.refs(project, prefix);
  return refs.slice(0, refs.total, 'asc').map(({ name }) => name);
}
