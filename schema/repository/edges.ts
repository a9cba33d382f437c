import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { projectById } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import { Project } from '../projects/types.ts';
import { Repository } from './types.ts';

builder.prismaObjectField(Project, 'repository', (t) =>
  t.field({
    type: Repository,
    description: 'The git repository. Null if the current user cannot read the code.',
    nullable: true,
    select: { id: true },
    resolve: ({ id }, _args, ctx) => ifVisible(() => projectById(id, ctx, canDownloadCode)),
  }),
);
