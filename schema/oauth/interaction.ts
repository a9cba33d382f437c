import type { Context } from '../kernel/context.ts';
import type { ValidatedRequest } from './authorization-request.ts';
import { oauthRefusal } from './refusal.ts';
import { usableTokens } from './tokens.ts';

/** What the user must do before the application gets its response. */
export interface Interaction {
  /** To sign in, or to sign in again. */
  readonly needsSignIn: boolean;
  readonly needsConsent: boolean;
}

/**
 * Decides what to ask the user. Throws `login_required` or `consent_required` if the application
 * wants no question (`prompt=none`) and one is necessary.
 */
export async function interactionFor(
  request: ValidatedRequest,
  authenticatedAt: Date | null,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<Interaction> {
  const { prompts, application } = request;
  const isSilent = prompts.has('none');
  const isReauthentication = prompts.has('login') || prompts.has('select_account');
  if (!ctx.viewer || isReauthentication || isTooOld(request, authenticatedAt)) {
    if (isSilent) throw oauthRefusal('login_required');
    return { needsSignIn: true, needsConsent: false };
  }
  const needsConsent = prompts.has('consent') || !application.isTrusted;
  if (!needsConsent || !isSilent) return { needsSignIn: false, needsConsent };
  if (!(await isAuthorized(request, ctx.viewer.id, ctx))) throw oauthRefusal('consent_required');
  return { needsSignIn: false, needsConsent: false };
}

const isTooOld = ({ maxAge }: ValidatedRequest, authenticatedAt: Date | null): boolean =>
  maxAge !== null &&
  (authenticatedAt === null || Date.now() - authenticatedAt.getTime() > maxAge * 1000);

/**
 * Whether the user authorized the application for these scopes before, and its token is still
 * usable. A program without a secret must have an address that no other program can receive
 * (RFC 8252, 8.6).
 */
async function isAuthorized(
  { application: { id, isConfidential }, redirectUri, scopes }: ValidatedRequest,
  userId: number,
  { db }: Pick<Context, 'db'>,
): Promise<boolean> {
  if (!isConfidential && !redirectUri.startsWith('https:')) return false;
  const [row] = await db.$queryRaw<[{ isAuthorized: boolean }]>`
    SELECT EXISTS (
      SELECT FROM oauth_tokens
      WHERE user_id = ${userId} AND application_id = ${id} AND scopes @> ${[...scopes]}::text[]
        AND ${usableTokens()}
    ) AS "isAuthorized"`;
  return row.isAuthorized;
}
