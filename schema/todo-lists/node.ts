import { checkIssue, issueParents } from '../issues/node.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { mergeRequestProjectOf } from '../merge-requests/find.ts';
import { mergeRequestParents } from '../merge-requests/node.ts';

const TodoNode = defineRecord('Todo', {
  model: 'todo',
  select: (ctx) =>
    ({
      id: true,
      userId: true,
      issue: { select: issueParents(ctx) },
      mergeRequest: { select: mergeRequestParents(ctx) },
    }) as const,
  check: ({ userId, issue, mergeRequest }, ctx) => {
    if (userId !== ctx.viewer?.id) throw recordNotFound();
    if (issue) checkIssue(issue, ctx);
    if (mergeRequest) mergeRequestProjectOf(mergeRequest.project, ctx);
  },
});

/** For fields of a to-do by its id. */
export const byTodo = byRecord(TodoNode, { id: ({ id }) => id });
