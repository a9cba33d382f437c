import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import type { Listing, Parent } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { Runner } from './types.ts';

const RunnerScope = builder.enumType('RunnerScope', {
  description: 'A selection of runners.',
  values: {
    active: { description: 'Runners that receive jobs.' },
    paused: { description: 'Runners that receive no jobs until a user resumes them.' },
    online: { description: 'Runners that contacted the service within the last hour.' },
    specific: { description: 'Runners that run jobs of certain projects only.' },
    shared: { description: 'Runners that run jobs of all projects with shared runners.' },
  },
});

const RunnerFilter = builder.inputType('RunnerFilter', {
  description: 'Which runners a listing has.',
  fields: (t) => ({
    scope: t.field({ type: RunnerScope, description: 'Only this selection; all if omitted.' }),
  }),
});

type Scope = typeof RunnerScope.$inferInput;

const conditions: Readonly<Record<Scope, Prisma.Sql>> = {
  active: Prisma.sql`is_active`,
  paused: Prisma.sql`NOT is_active`,
  // contacted within the last hour (v4-behaviour 2.1)
  online: Prisma.sql`contacted_at > now() - interval '1 hour'`,
  specific: Prisma.sql`NOT is_shared`,
  shared: Prisma.sql`is_shared`,
};

/** The arguments of every listing of runners, besides those of pages. */
export const runnerListArgs = builder.args((t) => ({
  filter: t.field({ type: RunnerFilter, description: 'Which runners the listing has.' }),
}));

interface ListArgs extends PageArgs {
  readonly filter?: Partial<typeof RunnerFilter.$inferInput> | null | undefined;
}

/** Which runners are listed. */
type Extent = Pick<Listing, 'where'> | { readonly parent: Parent };

type RunnerRow = typeof Runner.$inferType;

/** A page of runners, oldest first. */
export function listRunners(
  { filter, ...page }: ListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
  extent: Extent,
): Page<RunnerRow> {
  const within = 'where' in extent ? [extent.where] : [];
  const where = allOf([...within, ...(filter?.scope ? [conditions[filter.scope]] : [])]);
  const order = { table: 'runners', column: 'id', direction: 'asc' } as const;
  return pageOfRecords(ctx, { ...extent, ...order, where, page });
}

/** The runners that run jobs of a project. */
export function ofProject({
  id,
  sharedRunnersEnabled,
}: {
  readonly id: number;
  readonly sharedRunnersEnabled: boolean;
}): Extent {
  const shared = sharedRunnersEnabled
    ? Prisma.sql`UNION ALL SELECT id FROM runners WHERE is_shared`
    : Prisma.empty;
  return {
    parent: {
      id,
      condition: (projectId) => Prisma.sql`id IN (
        SELECT runner_id FROM runner_projects WHERE project_id = ${projectId} ${shared})`,
    },
  };
}
