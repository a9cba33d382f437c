import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import type { GroupLink } from './find.ts';
import { ProjectGroupLink, shareProject, unshareProject } from './shares.ts';

const Share = builder.objectRef<{ projectId: number; link: GroupLink }>('Share').implement({
  description: 'A share that was just made, and of which project.',
  fields: (t) => ({
    projectId: t.exposeInt('projectId'),
    link: t.expose('link', { type: ProjectGroupLink }),
  }),
});

builder.mutationFields((t) => ({
  shareProject: t.field({
    type: Share,
    args: {
      project: t.arg.id({ required: true }),
      groupId: t.arg.int({ required: true }),
      /** 10 to 40. */
      accessLevel: t.arg.int({ required: true }),
      expiresAt: t.arg({ type: 'Date' }),
    },
    resolve: (_root, { project, ...share }, ctx) => shareProject(project, share, ctx),
  }),
  unshareProject: t.boolean({
    args: { project: t.arg.id({ required: true }), groupId: t.arg.int({ required: true }) },
    resolve: (_root, { project, groupId }, ctx) => done(unshareProject(project, groupId, ctx)),
  }),
}));
