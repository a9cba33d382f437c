import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import type { GroupLink } from './find.ts';
import { ProjectGroupLink, shareProject, unshareProject } from './shares.ts';

const Share = builder.objectRef<{ projectId: number; link: GroupLink }>('Share').implement({
  extensions: { isPayload: true },
  description: 'A new share, with its project.',
  fields: (t) => ({
    projectId: t.exposeInt('projectId', { extensions: internal }),
    link: t.expose('link', { type: ProjectGroupLink, description: 'The share.' }),
  }),
});

builder.mutationFields((t) => ({
  shareProject: t.field({
    type: Share,
    extensions: { hasParents: true },
    description:
      'Shares a project with a group, whose members get access to it. Requires the access level MASTER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      groupId: t.arg.int({ required: true, description: 'The group.' }),
      accessLevel: t.arg.int({
        required: true,
        description: 'The highest access level that members of the group get; not owner.',
      }),
      expiresAt: t.arg({
        type: 'Date',
        description: 'The day at whose start the share ends; null for none.',
      }),
    },
    resolve: (_root, { project, ...share }, ctx) => shareProject(project, share, ctx),
  }),
  unshareProject: t.id({
    extensions: { identifies: 'Group', payload: 'groupId' },
    description:
      'Ends the share of a project with a group. Requires the access level MASTER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      groupId: t.arg.int({ required: true, description: 'The group.' }),
    },
    resolve: (_root, { project, groupId }, ctx) =>
      done(unshareProject(project, groupId, ctx), groupId),
  }),
}));
