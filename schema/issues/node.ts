import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { type ProjectFacts, projectOfRecord } from '../projects/find.ts';
import { issueProjectOf } from './find.ts';
import { canSeeIssue, type IssueTraits } from './policy.ts';

/** Selects what decides who sees an issue, and how its project numbers it. */
export const issueParents = (ctx: Context) =>
  ({
    id: true,
    projectId: true,
    iid: true,
    isConfidential: true,
    authorId: true,
    assignees: { select: { userId: true } },
    project: projectOfRecord(ctx),
  }) as const;

interface IssueWithParents extends IssueTraits {
  readonly isConfidential: boolean;
  readonly project: ProjectFacts;
}

/** Throws unless the viewer may see the issue. */
export function checkIssue(issue: IssueWithParents, ctx: Context): void {
  const { level } = issueProjectOf(issue.project, ctx);
  if (!canSeeIssue(signedIn(ctx), level, issue)) throw recordNotFound();
}

export const IssueNode = defineRecord('Issue', {
  model: 'issue',
  select: issueParents,
  check: checkIssue,
});

/** For fields of an issue by project and number. */
export const byIssue = byRecord(IssueNode, {
  project: ({ projectId }) => String(projectId),
  iid: ({ iid }) => iid,
});
