import type Koa from 'koa';
import { refused } from '../../rest-facade/kernel/errors.ts';
import { queryOf } from '../../rest-facade/kernel/query.ts';
import { scopeRefusal } from '../../rest-facade/kernel/scopes.ts';
import type { Outcome } from '../../schema/client/endpoint.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import type { Credential } from '../../schema/sessions/viewer.ts';
import type { Credentials } from '../accounts/credentials.ts';

/** The user that an administrator acts as. */
interface Substitute {
  readonly viewer: Viewer;
  readonly sudoerId: number;
}

/** The parameter or header `sudo`; undefined without one. An empty value matches no user. */
export const requestedUser = (ctx: Koa.Context): unknown =>
  ctx.request.body?.sudo ?? queryOf(ctx).sudo ?? ctx.req.headers.sudo;

const nameShape = /^[\w.-]{1,255}$/;
const longestShown = 255;

/** The user named by `sudo` if the caller may act as others; else a refusal (v4-behaviour 1.5). */
export async function substitute(
  name: unknown,
  credential: Credential | null,
  credentials: Pick<Credentials, 'ofName'>,
): Promise<Substitute | Outcome> {
  if (!credential) return refused.anonymous;
  const refusal = scopeRefusal(credential);
  if (refusal) return refusal;
  const sudoer = credential.viewer;
  if (!sudoer) return refused.anonymous;
  if (!sudoer.isAdmin) return refuse(403, 'Forbidden - Must be admin to use sudo');
  // a delegated token must not give access to all accounts
  if (credential.kind === 'oauth' || credential.kind === 'job') {
    return refuse(403, 'Forbidden - Private token must be specified in order to use sudo');
  }
  if (typeof name === 'object') return refused.parameters('sudo is invalid');
  const text = String(name);
  const viewer = nameShape.test(text) ? await credentials.ofName(text) : null;
  if (!viewer) {
    return refuse(404, `No user id or username for: ${text.slice(0, longestShown)} Not Found`);
  }
  return { viewer, sudoerId: sudoer.id };
}

const refuse = (status: number, text: string): Outcome => ({
  status,
  body: { message: `${status} ${text}` },
});
