import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { canApprove } from '../merge-requests/policy.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { projectById } from '../projects/find.ts';

const MergeRequestApproval = builder.prismaObject('MergeRequestApproval', {
  description: 'The approval of a merge request by a user.',
  fields: (t) => ({
    user: t.relation('user', { description: 'The user who approved the merge request.' }),
    sha: t.expose('sha', {
      type: 'SHA',
      nullable: true,
      description:
        'The head commit that was approved; another head resets approvals. Null if an earlier version stored it.',
    }),
    approvedAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the user approved it.',
    }),
  }),
});

interface ApprovalState {
  readonly isApproved: boolean;
  /** Whether the viewer has approved it. */
  readonly isApprovedByViewer: boolean;
}

/** The approvals of merge requests by their ids. */
const approvalStates = batched<number, ApprovalState, Pick<Context, 'db' | 'viewer'>>(
  async (ids, { db, viewer }) => {
    const rows = await db.$queryRaw<{ id: number; isApprovedByViewer: boolean }[]>`
      SELECT merge_request_id AS id,
        bool_or(user_id = ${viewer?.id ?? 0}) AS "isApprovedByViewer"
      FROM merge_request_approvals WHERE merge_request_id = ANY(${[...ids]}::int[])
      GROUP BY merge_request_id`;
    return new Map(
      rows.map(({ id, isApprovedByViewer }) => [id, { isApproved: true, isApprovedByViewer }]),
    );
  },
  { isApproved: false, isApprovedByViewer: false },
);

/** How many approvals of a merge request are shown. */
const mostShown = 100;

builder.prismaObjectFields(MergeRequest, (t) => ({
  approvals: t.relation('approvals', {
    type: MergeRequestApproval,
    description: 'The approvals, the oldest first. At most 100.',
    complexity: { field: statementCost, multiplier: 5 },
    query: { orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }], take: mostShown },
  }),
  isApproved: t.boolean({
    description: 'Whether a user has approved the merge request. A merge needs no approval.',
    complexity: statementCost,
    resolve: async ({ id }, _args, ctx) => (await approvalStates(id, ctx)).isApproved,
  }),
  isApprovedByMe: t.boolean({
    description: 'Whether the current user has approved the merge request.',
    complexity: statementCost,
    resolve: async ({ id }, _args, ctx) => (await approvalStates(id, ctx)).isApprovedByViewer,
  }),
  canApprove: t.boolean({
    description:
      'Whether the current user may approve the merge request and has not done so: developers and above, also the author.',
    complexity: statementCost,
    select: { projectId: true },
    resolve: async ({ id, projectId }, _args, ctx) => {
      if (!ctx.viewer) return false;
      const project = await projectById(projectId, ctx);
      if (!canApprove(project.level, project)) return false;
      return !(await approvalStates(id, ctx)).isApprovedByViewer;
    },
  }),
}));
