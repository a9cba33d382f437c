import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { pageOfRecords } from '../listing/records.ts';
import { readableCommit } from './by-sha.ts';
import type { commitStates } from './status-moves.ts';
import { Commit } from './types.ts';

export const CommitState = builder.enumType('CommitState', {
  description: 'The state of an external commit status.',
  values: {
    pending: { description: 'The service has not started.' },
    running: { description: 'The service is working.' },
    success: { description: 'The service succeeded.' },
    failed: { description: 'The service failed.' },
    canceled: { description: 'The service was stopped.' },
  } satisfies Readonly<Record<(typeof commitStates)[number], object>>,
});

export const CommitStatus = builder.prismaObject('CommitStatus', {
  description: 'A status that an external service set on a commit.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the status.' }),
    sha: t.expose('sha', { type: 'SHA', description: 'The id of the commit.' }),
    ref: t.exposeString('ref', {
      description: 'The branch or tag. Null if the service named none.',
      nullable: true,
    }),
    state: t.expose('state', { type: CommitState, description: 'The state.' }),
    name: t.exposeString('name', { description: 'The name of the check, such as `default`.' }),
    targetUrl: t.expose('targetUrl', {
      type: 'URL',
      description: 'The address of the details at the service. Null if it gave none.',
      nullable: true,
    }),
    description: t.exposeString('description', {
      description: 'A short text of the service. Null if it gave none.',
      nullable: true,
    }),
    coverage: t.exposeFloat('coverage', {
      description: 'The test coverage in percent. Null if the service gave none.',
      nullable: true,
    }),
    allowFailure: t.exposeBoolean('allowFailure', {
      description: 'Whether a failure does not fail the pipeline.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the service first set the status.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'When the state became `RUNNING`. Null before.',
      nullable: true,
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      description: 'When the state became final. Null before.',
      nullable: true,
    }),
    project: t.relation('project', { description: 'The project of the commit.' }),
    commit: t.field({
      type: Commit,
      nullable: true,
      description: 'The commit. Null if the repository no longer has it.',
      complexity: walkCost / 20,
      select: { projectId: true, sha: true },
      resolve: ({ projectId, sha }, _args, ctx) => readableCommit(projectId, sha, ctx),
    }),
    author: t.relation('author', {
      description: 'The user who set the status. Null if that user was removed.',
      nullable: true,
    }),
  }),
});

/** The stage of external statuses. */
export const externalStage = 'external';

const CommitStatusPage = pageType('CommitStatus', CommitStatus);

export const CommitStatusFilter = builder.inputType('CommitStatusFilter', {
  description: 'Conditions on external commit statuses. A status must match all of them.',
  fields: (t) => ({
    ref: t.string({ description: 'Only statuses of this branch or tag.' }),
    name: t.string({ description: 'Only statuses with this name.' }),
    stage: t.string({
      description: 'Only statuses of this stage. External statuses are in the stage `external`.',
    }),
    includesReplaced: t.boolean({
      defaultValue: false,
      description:
        'Whether statuses that a newer one of the same name and ref has replaced are listed, too.',
    }),
  }),
});

/** On the columns of `commit_statuses`: those of a commit that match a filter. */
export function statusConditions(
  { projectId, sha }: { readonly projectId: number; readonly sha: string },
  { ref, stage, name, includesReplaced }: typeof CommitStatusFilter.$inferInput,
): Prisma.Sql {
  const matching = allOf([
    Prisma.sql`sha = ${sha}`,
    ...(ref ? [Prisma.sql`ref = ${ref}`] : []),
    ...(stage && stage !== externalStage ? [Prisma.sql`false`] : []),
    ...(name ? [Prisma.sql`name = ${name}`] : []),
  ]);
  return includesReplaced
    ? matching
    : Prisma.sql`id IN (
        SELECT DISTINCT ON (name, ref) id FROM commit_statuses
        WHERE project_id = ${projectId} AND ${matching} ORDER BY name, ref, id DESC)`;
}

builder.objectField(Commit, 'statuses', (t) =>
  t.field({
    type: CommitStatusPage,
    description: 'The external statuses: the newest of each name and ref, oldest first.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: CommitStatusFilter, description: 'Default: all names and refs.' }),
    },
    resolve: ({ id: sha, repository: { id: projectId } }, { filter, ...page }, ctx) =>
      pageOfRecords<typeof CommitStatus.$inferType>(ctx, {
        table: 'commit_statuses',
        where: statusConditions({ projectId, sha }, filter ?? {}),
        column: 'id',
        direction: 'asc',
        page,
        parent: belongsTo('project_id', projectId),
      }),
  }),
);
