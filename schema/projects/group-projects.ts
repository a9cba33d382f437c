import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { ProjectPage } from './types.ts';

builder.prismaObjectField(Group, 'projects', (t) =>
  t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listProjects(args, ctx, { namespaceId: id }),
  }),
);
