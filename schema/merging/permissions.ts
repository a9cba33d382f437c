import { rulesOfProjects } from '../branches/protection.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { findMergeRequest } from '../merge-requests/find.ts';
import {
  canAdminMergeRequests,
  canDeleteMergeRequest,
  canMergeInto,
  canUpdateMergeRequest,
} from '../merge-requests/policy.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { projectById } from '../projects/find.ts';
import { rebaseRefusal } from './rebase.ts';

builder.prismaObjectFields(MergeRequest, (t) => ({
  canUpdate: t.boolean({
    description:
      'Whether the current user may change the merge request: developers and the author.',
    select: { projectId: true, authorId: true },
    resolve: async ({ projectId, authorId }, _args, ctx) => {
      const { viewer } = ctx;
      if (!viewer) return false;
      const project = await projectById(projectId, ctx);
      return canUpdateMergeRequest(viewer, project.level, { authorId, project });
    },
  }),
  canAdminister: t.boolean({
    description:
      'Whether the current user may set labels, milestone and assignee: developers and above.',
    select: { projectId: true },
    resolve: async ({ projectId }, _args, ctx) => {
      if (!ctx.viewer) return false;
      const project = await projectById(projectId, ctx);
      return canAdminMergeRequests(project.level, project);
    },
  }),
  canDelete: t.boolean({
    description: 'Whether the current user may delete the merge request: owners.',
    select: { projectId: true },
    resolve: async ({ projectId }, _args, ctx) => {
      if (!ctx.viewer) return false;
      const project = await projectById(projectId, ctx);
      return canDeleteMergeRequest(project.level, project);
    },
  }),
  canRebase: t.boolean({
    // for one merge request: several statements for each
    extensions: internal,
    description:
      'Whether the merge request is open and the current user may rewrite its source branch.',
    complexity: statementCost,
    select: { projectId: true, iid: true, state: true },
    resolve: async ({ projectId, iid, state }, _args, ctx) => {
      if (!ctx.viewer || state !== 'opened') return false;
      const mergeRequest = await findMergeRequest(String(projectId), iid, ctx);
      return (await rebaseRefusal(mergeRequest, ctx.viewer, ctx)) === null;
    },
  }),
  canMerge: t.boolean({
    description:
      'Whether the merge request is open and the current user may merge into its target branch. Conflicts and pipelines do not count.',
    select: { projectId: true, targetBranch: true, state: true },
    resolve: async ({ projectId, targetBranch, state }, _args, ctx) => {
      if (!ctx.viewer || state !== 'opened') return false;
      const [project, rules] = await Promise.all([
        projectById(projectId, ctx),
        rulesOfProjects(projectId, ctx),
      ]);
      return canMergeInto(targetBranch, project.level, project, rules);
    },
  }),
}));
