import { Prisma } from '../../prisma/client.ts';
import { iidArgs } from '../issuables/fields.ts';
import { findIssue } from '../issues/find.ts';
import { byIssue } from '../issues/node.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf } from '../kernel/sql.ts';
import { storedRecord } from '../listing/records.ts';
import { findMergeRequest } from '../merge-requests/find.ts';
import { byMergeRequest } from '../merge-requests/node.ts';
import { type MarkedTodo, markTodo, type TodoTarget } from '../todos/record.ts';
import { byTodo } from './node.ts';
import { Todo } from './types.ts';
import { visibleTodos } from './visible.ts';

const TodoCreation = builder.objectRef<MarkedTodo>('TodoCreation').implement({
  description: 'The result of asking for a to-do.',
  extensions: { isPayload: true },
  fields: (t) => ({
    hasChanged: t.exposeBoolean('hasChanged', { extensions: internal }),
    todo: t.prismaField({
      type: Todo,
      description: 'The new to-do, or the pending one that the user has already.',
      resolve: (query, { id }, _args, ctx) => storedRecord(ctx, 'todo', id, query),
    }),
  }),
});

const mark = (target: TodoTarget, ctx: Context): Promise<MarkedTodo> =>
  orThrow(markTodo(ctx.db, target, signedIn(ctx).id), recordNotFound);

/** Marks a to-do of the viewer whose target they see as done; also one that is done already. */
async function markDone(id: number, ctx: Context): Promise<void> {
  const viewer = signedIn(ctx);
  const [todo] = await ctx.db.$queryRaw<unknown[]>`
    UPDATE todos SET state = 'done',
      updated_at = CASE WHEN state = 'pending' THEN now() ELSE updated_at END
    WHERE id = ${id} AND user_id = ${viewer.id} AND ${allOf(visibleTodos(viewer))}
    RETURNING id`;
  if (!todo) throw recordNotFound();
}

const markAllDone = (ctx: Context): Promise<number> => {
  const { id } = signedIn(ctx);
  return ctx.db.$executeRaw(Prisma.sql`
    UPDATE todos SET state = 'done', updated_at = now()
    WHERE user_id = ${id} AND state = 'pending'`);
};

builder.mutationFields((t) => ({
  createIssueTodo: t.field({
    type: TodoCreation,
    extensions: byIssue,
    description: 'Makes a to-do of the current user for an issue. All users who see it may.',
    args: iidArgs,
    resolve: async (_root, { project, iid }, ctx) => {
      signedIn(ctx);
      const { id } = await findIssue(project, iid, ctx);
      return mark({ kind: 'issue', id }, ctx);
    },
  }),
  createMergeRequestTodo: t.field({
    type: TodoCreation,
    extensions: byMergeRequest,
    description: 'Makes a to-do of the current user for a merge request. All users who see it may.',
    args: iidArgs,
    resolve: async (_root, { project, iid }, ctx) => {
      signedIn(ctx);
      const { id } = await findMergeRequest(project, iid, ctx);
      return mark({ kind: 'mergeRequest', id }, ctx);
    },
  }),
  markTodoDone: t.prismaField({
    type: Todo,
    extensions: byTodo,
    description: 'Marks a to-do of the current user as done.',
    args: { id: t.arg.int({ required: true, description: 'The id of the to-do.' }) },
    resolve: async (query, _root, { id }, ctx) => {
      await markDone(id, ctx);
      return storedRecord(ctx, 'todo', id, query);
    },
  }),
  markTodosDone: t.int({
    extensions: { payload: 'count', payloadDescription: 'The number of to-dos that were pending.' },
    description: 'Marks all pending to-dos of the current user as done.',
    resolve: (_root, _args, ctx) => markAllDone(ctx),
  }),
}));
