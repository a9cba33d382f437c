import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { findProject } from '../projects/find.ts';
import { canDownloadCode, canPushCode } from '../projects/policy.ts';
import { Repository } from './types.ts';

const RepositoryAccess = builder.enumType('RepositoryAccess', {
  description: 'What the current user needs to do with the code.',
  values: {
    read: { description: 'Read it.' },
    write: { description: 'Push to it.' },
  } as const,
});

builder.queryField('repository', (t) =>
  t.field({
    type: Repository,
    description: 'The git repository of a project.',
    extensions: internal,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      access: t.arg({
        type: RepositoryAccess,
        defaultValue: 'read',
        description: 'The access that the current user needs.',
      }),
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
