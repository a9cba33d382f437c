import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import type { GroupLink } from './find.ts';
import { ProjectGroupLink, shareProject, unshareProject } from './shares.ts';

const Share = builder.objectRef<{ projectId: number; link: GroupLink }>('Share').implement({
  extensions: { isPayload: true },
  description: 'A new share, with its project.',
  fields: (t) => ({
    projectId: t.exposeInt('projectId', { description: 'The id of the project.' }),
    link: t.expose('link', { type: ProjectGroupLink, description: 'The share.' }),
  }),
});

builder.mutationFields((t) => ({
  shareProject: t.field({
    type: Share,
    description: 'Shares a project with a group, whose members get access to it. Masters only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      groupId: t.arg.int({ required: true, description: 'The id of the group.' }),
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
    description: 'Ends the share of a project with a group. Masters only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      groupId: t.arg.int({ required: true, description: 'The id of the group.' }),
    },
    resolve: (_root, { project, groupId }, ctx) =>
      done(unshareProject(project, groupId, ctx), groupId),
  }),
}));
