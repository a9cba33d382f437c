import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import { allOf } from '../kernel/sql.ts';
import { describeModel } from '../listing/described.ts';
import type { Parent } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { RefPrefix } from '../ports/git/history.ts';
import { CiStatus, type Pipeline, PipelineSource } from './types.ts';

describeModel('Pipeline', { unshown: ['variablesSealed', 'commitMessage'] });

const PipelineOrder = builder.enumType('PipelineOrder', {
  description: 'What pipelines are ordered by.',
  values: {
    id: { description: 'The id, which grows with the time of creation.' },
    status: { description: 'The status, alphabetically.' },
    ref: { description: 'The branch or tag, alphabetically.' },
    userId: { description: 'The id of the user who triggered the pipeline.' },
  },
});

const PipelineScope = builder.enumType('PipelineScope', {
  description: 'A selection of pipelines.',
  values: {
    running: { description: 'Pipelines of which a job runs or waits for a runner.' },
    pending: { description: 'Pipelines whose jobs wait for a runner.' },
    finished: { description: 'Pipelines that succeeded, failed or were canceled.' },
    branches: { description: 'The newest pipeline of each branch that exists.' },
    tags: { description: 'The newest pipeline of each tag that exists.' },
  },
});

const PipelineFilter = builder.inputType('PipelineFilter', {
  description: 'The conditions that listed pipelines meet, all of them. Omitted ones do not count.',
  fields: (t) => ({
    scope: t.field({ type: PipelineScope, description: 'Only this selection.' }),
    status: t.field({ type: CiStatus, description: 'Only pipelines with this status.' }),
    ref: t.string({
      description: 'Only pipelines of this branch or tag, by its short name such as `main`.',
    }),
    sha: t.field({ type: 'SHA', description: 'Only pipelines of the commit with this id.' }),
    source: t.field({ type: PipelineSource, description: 'Only pipelines that this created.' }),
    hasYamlErrors: t.boolean({
      description: 'True: only pipelines with an invalid CI file. False: only the others.',
    }),
    name: t.string({
      extensions: internal,
      description: 'Only pipelines that a user with exactly this name triggered.',
    }),
    username: t.string({
      description: 'Only pipelines that the user with this username triggered.',
    }),
  }),
});

/** Arguments of a pipeline listing. */
export const pipelineListArgs = builder.args((t) => ({
  filter: t.field({ type: PipelineFilter, description: 'Conditions that the pipelines meet.' }),
  orderBy: t.field({
    type: PipelineOrder,
    defaultValue: 'id' as const,
    description: 'What the pipelines are ordered by.',
  }),
  sort: t.field({
    type: SortDirection,
    defaultValue: 'desc' as const,
    description: 'The direction of the order.',
  }),
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

/** A page of the pipelines of `parent` that match the filter; all are of the project. */
export async function listPipelines(
  project: Listed,
  { filter, orderBy, sort, ...page }: ListArgs,
  ctx: Pick<Context, 'db' | 'git' | 'viewer'>,
  parent: Parent,
) {
  const scope = await inScope(project, filter?.scope, ctx);
  return pageOfRecords<typeof Pipeline.$inferType>(ctx, {
    table: 'pipelines',
    parent,
    where: allOf([...scope, ...matching(filter ?? {})]),
    column: columns[orderBy ?? 'id'],
    direction: sort ?? 'desc',
    page,
  });
}

function matching(filter: Filter): Prisma.Sql[] {
  const { status, ref, sha, source, hasYamlErrors, name, username } = filter;
  return [
    ...(status ? [Prisma.raw(`status = '${status}'`)] : []),
    ...(source ? [Prisma.raw(`source = '${source}'`)] : []),
    ...(typeof ref === 'string' ? [Prisma.sql`ref = ${ref}`] : []),
    ...(typeof sha === 'string' ? [Prisma.sql`sha = ${sha}`] : []),
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
