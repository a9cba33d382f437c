import type Koa from 'koa';
import { queryOf } from '../../rest-facade/kernel/query.ts';
import type { Credentials } from '../accounts/credentials.ts';

const bearer = /^Bearer\s+(\S+)$/i;

/** A token anywhere v4 clients put it (v4-behaviour 1.5), or null. */
function tokenOf(ctx: Koa.Context): string | null {
  const authorization = bearer.exec(ctx.get('Authorization'))?.[1];
  const candidates = [
    parameter(ctx, 'private_token'),
    ctx.get('Private-Token'),
    parameter(ctx, 'access_token'),
    authorization,
    parameter(ctx, 'bearer_token'),
  ];
  return candidates.find((candidate) => candidate) ?? null;
}

const parameter = (ctx: Koa.Context, name: string): string | undefined => {
  const body = ctx.request.body as Record<string, unknown> | undefined;
  const value = body?.[name] ?? queryOf(ctx)[name];
  return typeof value === 'string' ? value : undefined;
};

/** Finds out who asks. A token that is shown must be good, also where none is needed. */
export const authenticate =
  (credentials: Credentials): Koa.Middleware =>
  async (ctx, next) => {
    const token = tokenOf(ctx);
    const credential = token ? await credentials.ofToken(token) : null;
    if (token && !credential?.scopes.includes('api')) {
      ctx.status = 401;
      ctx.res.setHeader('Content-Type', 'application/json');
      ctx.body = JSON.stringify({ message: '401 Unauthorized' });
      return;
    }
    ctx.state.viewer = credential?.viewer ?? null;
    await next();
  };
