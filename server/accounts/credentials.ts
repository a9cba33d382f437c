import { LRUCache } from 'lru-cache';
import type { Context } from '../../schema/kernel/context.ts';
import { throttled } from '../../schema/kernel/errors.ts';
import { isTokenShaped } from '../../schema/kernel/private-token.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import {
  credentialOfAccessToken,
  isAccessTokenShaped,
  whyTokenEnded,
} from '../../schema/oauth/credential.ts';
import { credentialOfSession } from '../../schema/sessions/browser-sessions.ts';
import { type CredentialSource, passwordMarkOf } from '../../schema/sessions/credential-source.ts';
import { findByPassword, type PasswordAttempt } from '../../schema/sessions/sign-in.ts';
import { credentialOfSoapSession } from '../../schema/sessions/soap-sessions.ts';
import {
  type Credential,
  credentialOf,
  viewerByIdOrUsername,
  viewerOf,
} from '../../schema/sessions/viewer.ts';
import { runWithoutCaller } from '../scheduling/scope.ts';
import { type CachedIdentity, createIdentityCache } from './identity-cache.ts';
import type { SharedChanges } from './shared-changes.ts';

export type Credentials = ReturnType<typeof createCredentials>;

type Parts = Pick<
  Context,
  'db' | 'directory' | 'secrets' | 'passwords' | 'settings' | 'signInLimits' | 'sessionLifetime'
>;

/**
 * Wrong tokens that a program sends as passwords are not compared again for a minute: each comparison with
 * the password of a directory counts there against its user.
 */
const wrongTokens = { max: 10_000, ttl: 60_000 };

/** The user of a password. */
interface PasswordIdentity extends CachedIdentity {
  readonly viewer: Viewer;
  readonly source: CredentialSource;
}

/**
 * Finds users by their credentials; cached until this process or one of `shared` has changed them, or until the
 * database notifies of a change.
 */
export function createCredentials(parts: Parts, shared: SharedChanges | null) {
  const { db, secrets } = parts;
  const catchUp = () => {
    const changed = shared?.readAdded() ?? [];
    if (changed === '*') forgetAll();
    else for (const userId of changed) forget(userId);
  };
  const tokens = createIdentityCache<Credential>(catchUp);
  const sessions = createIdentityCache<Credential>(catchUp);
  const passwords = createIdentityCache<PasswordIdentity>(catchUp);
  const names = createIdentityCache<CachedIdentity>(catchUp);
  const memories = [tokens, sessions, passwords, names];
  const wrong = new LRUCache<string, true>(wrongTokens);

  const identityOf = (viewer: Viewer | null): CachedIdentity | null =>
    viewer && { viewer, expiresAt: viewer.validUntil };
  const forget = (userId: number) => {
    for (const memory of memories) memory.forget(userId);
  };
  const forgetAll = () => {
    for (const memory of memories) memory.forgetAll();
  };

  return {
    /** The holder of a token, or null when it is invalid. */
    ofToken: async (token: string): Promise<Credential | null> => {
      const digest = secrets.digest(token);
      const find = async () =>
        (isAccessTokenShaped(token) ? await credentialOfAccessToken(db, digest) : null) ??
        credentialOf(db, digest);
      const cached = await tokens.recall(textOf(digest), () => runWithoutCaller(find));
      const { userOauthApplications } = parts.settings.current;
      // the token is invalid until an administrator unblocks the user
      const isClosed = cached?.isOfUsersApplication && !userOauthApplications;
      return isClosed ? { ...cached, scopes: [] } : cached;
    },
    /** Why an OAuth access token is no longer valid; null for any other token. */
    lapseOf: async (token: string): Promise<'expired' | 'revoked' | null> =>
      isAccessTokenShaped(token) ? whyTokenEnded(db, secrets.digest(token)) : null,
    /** The user of this browser session cookie, or null. */
    ofSession: (token: string): Promise<Credential | null> => {
      const digest = secrets.digest(token);
      return sessions.recall(textOf(digest), () =>
        runWithoutCaller(() => credentialOfSession(db, digest, parts.sessionLifetime)),
      );
    },
    /** The user of this SOAP session id, or null. */
    ofSoapSession: (sessionId: string): Promise<Credential | null> =>
      sessions.recall(`soap ${textOf(secrets.digest(sessionId))}`, () =>
        runWithoutCaller(() => credentialOfSoapSession(sessionId, parts)),
      ),
    /**
     * The user with this name or email and password, or null. Throws after too many failures, and
     * for users with two-factor authentication.
     */
    ofPassword: (attempt: PasswordAttempt): Promise<PasswordIdentity | null> => {
      const { login, password } = attempt;
      const key = textOf(secrets.digest(`password\0${login}\0${password}`));
      return passwords.recall(key, async () => {
        if (wrong.has(key)) {
          const retryAfter = await parts.signInLimits.countWrongToken(attempt.address);
          if (retryAfter > 0) throw throttled(retryAfter);
          return null;
        }
        const user = await findByPassword(attempt, parts);
        const isToken = attempt.mayBeToken === true && isTokenShaped(password);
        if (!user && isToken && parts.directory !== null) wrong.set(key, true);
        const viewer = user && (await viewerOf(db, user.id));
        if (!viewer) return null;
        const source = { passwordOf: user.id, passwordMark: passwordMarkOf(user, parts) };
        return { viewer, expiresAt: viewer.validUntil, source };
      });
    },
    /** The user with this id, or else this username in any case; null when there is no active one. */
    ofName: async (idOrUsername: string): Promise<Viewer | null> => {
      const key = idOrUsername.toLowerCase();
      const cached = await names.recall(key, async () =>
        identityOf(await viewerByIdOrUsername(db, key)),
      );
      return cached?.viewer ?? null;
    },
    /** Called by this process after a change. */
    forget: (userId: number): void => {
      forget(userId);
      shared?.add(userId);
    },
    forgetAll: (): void => {
      forgetAll();
      shared?.add('*');
    },
    /** Handles a notification: a user's id, or `*` for all users. */
    changed: (payload: string): void => (payload === '*' ? forgetAll() : forget(Number(payload))),
  };
}

const textOf = (digest: Uint8Array) => Buffer.from(digest).toString('latin1');
