import type { Middleware } from 'koa';
import { callerOf } from '../scheduling/caller.ts';
import { runAs } from '../scheduling/scope.ts';
import { withWaitBudget } from '../scheduling/wait-budget.ts';

/**
 * Makes the address the caller of a request, until its credential is known; all that the request does waits for the
 * object store no longer than one request may.
 */
export const callerScope: Middleware = (ctx, next) =>
  runAs(callerOf(null, ctx.ip), () => withWaitBudget(next));
