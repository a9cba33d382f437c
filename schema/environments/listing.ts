import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';
import type { Deployment, Environment } from './types.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;

/** A page of the environments of a project, oldest first. */
export const listEnvironments = (
  projectId: number,
  page: PageArgs,
  ctx: Caller,
): Page<typeof Environment.$inferType> =>
  pageOfRecords(ctx, {
    table: 'environments',
    parent: belongsTo('project_id', projectId),
    where: allOf([]),
    column: 'id',
    direction: 'asc',
    page,
  });

const DeploymentOrder = builder.enumType('DeploymentOrder', {
  description: 'What deployments are ordered by.',
  values: {
    id: { description: 'The id, which grows with the time of creation.' },
    iid: { description: 'The number in the project.' },
    createdAt: { description: 'The time of creation.' },
    ref: { description: 'The branch or tag, alphabetically.' },
  },
});

/** The arguments of every listing of deployments, besides those of pages. */
export const deploymentListArgs = builder.args((t) => ({
  orderBy: t.field({
    type: DeploymentOrder,
    defaultValue: 'id' as const,
    description: 'What the deployments are ordered by.',
  }),
  sort: t.field({
    type: SortDirection,
    defaultValue: 'asc' as const,
    description: 'The direction of the order.',
  }),
}));

interface ListArgs extends PageArgs {
  readonly orderBy?: typeof DeploymentOrder.$inferInput | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

const columns = { id: 'id', iid: 'iid', createdAt: 'created_at', ref: 'ref' } as const;

/** A page of the deployments of a project or to an environment. */
export const listDeployments = (
  parent: Parent,
  { orderBy, sort, ...page }: ListArgs,
  ctx: Caller,
): Page<typeof Deployment.$inferType> =>
  pageOfRecords(ctx, {
    table: 'deployments',
    parent,
    where: allOf([]),
    column: columns[orderBy ?? 'id'],
    direction: sort ?? 'asc',
    page,
  });
