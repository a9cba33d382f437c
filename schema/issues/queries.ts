import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { findIssueProject, signedIn, visibleIssues } from './find.ts';
import { Issue } from './types.ts';

builder.queryField('issue', (t) =>
  t.prismaField({
    type: Issue,
    args: {
      project: t.arg.id({ required: true }),
      iid: t.arg.int({ required: true }),
    },
    resolve: async (query, _root, { project: ref, iid }, ctx) => {
      const viewer = signedIn(ctx);
      const project = await findIssueProject(ref, ctx);
      const issue = await ctx.db.issue.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { projectId: project.id, iid, ...visibleIssues(viewer, project.level) },
      });
      if (!issue) throw recordNotFound();
      return issue;
    },
  }),
);
