import { builder } from '../kernel/builder.ts';
import { findProject } from '../projects/find.ts';
import { canDownloadCode, canPushCode } from '../projects/policy.ts';
import { Repository } from './types.ts';

const RepositoryAccess = builder.enumType('RepositoryAccess', {
  description: 'What the caller is about to do with the code.',
  values: ['read', 'write'] as const,
});

builder.queryField('repository', (t) =>
  t.field({
    type: Repository,
    args: {
      project: t.arg.id({ required: true }),
      /** The access that the viewer needs. */
      access: t.arg({ type: RepositoryAccess, defaultValue: 'read' }),
    },
    resolve: (_root, { project, access }, ctx) =>
      findProject(
        project,
        ctx,
        access === 'write'
          ? (_viewer, level, traits) => canPushCode(level, traits)
          : canDownloadCode,
      ),
  }),
);
