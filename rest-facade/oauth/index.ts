import type { Middleware } from 'koa';
import { type Mounting, mount } from '../kernel/mount.ts';
import { explainOauth } from './errors.ts';
import { introspect } from './introspect.ts';
import { keys } from './keys.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';
import { tokenInfo } from './token-info.ts';
import { userinfo } from './userinfo.ts';

export const oauthPrefix = '/oauth';

/** Every OAuth endpoint for programs; the consent screen is a page. */
export const oauthRoutes = [...token, ...tokenInfo, ...revoke, ...introspect, ...keys, ...userinfo];

/** Handles everything below `/oauth` except for the consent pages. */
export function oauthEndpoints(parts: Omit<Mounting, 'prefix' | 'explain'>): Middleware {
  const answer = mount(oauthRoutes, { ...parts, prefix: oauthPrefix, explain: explainOauth });
  return (ctx, next) => (/^\/oauth\/authorize(?:\/|$)/.test(ctx.path) ? next() : answer(ctx, next));
}
