import type { Middleware } from 'koa';
import { callerOf } from '../scheduling/caller.ts';
import { runAs } from '../scheduling/scope.ts';

/** Makes the address the caller of a request, until its credential is known. */
export const callerScope: Middleware = (ctx, next) => runAs(callerOf(null, ctx.ip), next);
