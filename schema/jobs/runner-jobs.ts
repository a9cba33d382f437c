import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf, anyOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { CiStatus } from '../pipelines/types.ts';
import { isAtLevel } from '../projects/at-level.ts';
import { visibleProjects } from '../projects/find.ts';
import { findRunner } from '../runners/find.ts';
import { reasonNotToShow } from '../runners/policy.ts';
import { jobPage } from './queries.ts';
import { JobPage } from './types.ts';

/** The projects whose jobs the viewer may see, by the rule of `canSeePipelines`. */
function projectsWithSeenJobs(viewer: Viewer): Prisma.Sql {
  const seen = anyOf([Prisma.sql`public_jobs`, isAtLevel(viewer, Access.reporter)]);
  return allOf([
    Prisma.sql`NOT is_removed`,
    visibleProjects(viewer),
    ...(viewer.isAdmin ? [] : [seen]),
  ]);
}

builder.queryField('runnerJobs', (t) =>
  t.field({
    type: JobPage,
    description: 'What a runner has taken, as far as the viewer may see these jobs.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      runner: t.arg.int({ required: true }),
      status: t.arg({ type: CiStatus }),
      sort: t.arg({ type: SortDirection, defaultValue: 'desc' as const }),
    },
    resolve: async (_root, { runner, status, sort, ...page }, ctx) => {
      await findRunner(runner, reasonNotToShow, ctx);
      const projects = projectsWithSeenJobs(signedIn(ctx));
      const condition = Prisma.sql`runner_id = ${runner}
        AND project_id IN (SELECT id FROM projects WHERE ${projects})`;
      const scope = status ? [status] : null;
      return jobPage({ ...page, scope }, condition, ctx, sort ?? 'desc');
    },
  }),
);
