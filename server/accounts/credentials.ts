import type { Context } from '../../schema/kernel/context.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import {
  credentialOfAccessToken,
  isAccessTokenShaped,
  lapseOf,
} from '../../schema/oauth/credential.ts';
import type { Viewers } from '../../schema/ports/viewers.ts';
import { credentialOfSession } from '../../schema/sessions/browser-sessions.ts';
import { type Attempt, findByPassword } from '../../schema/sessions/sign-in.ts';
import { credentialOfSoapSession } from '../../schema/sessions/soap-sessions.ts';
import {
  type Credential,
  credentialOf,
  viewerCalled,
  viewerOf,
} from '../../schema/sessions/viewer.ts';
import { type CachedIdentity, createIdentityCache } from './identity-cache.ts';

/** Who somebody is by what they show; remembered until the database says that it changed. */
export interface Credentials extends Viewers {
  /** Who holds this token, or null when it is not good. */
  ofToken(token: string): Promise<Credential | null>;
  /** Why a token is good no more that was an OAuth access token; null for any other. */
  lapseOf(token: string): Promise<'expired' | 'revoked' | null>;
  /**
   * Who has this name or e-mail and password, or null. Refuses too many failures, and people with a
   * second factor.
   */
  ofPassword(attempt: Attempt): Promise<Viewer | null>;
  /** Who is signed in in the browser with this cookie, or null. */
  ofSession(token: string): Promise<Credential | null>;
  /** Whose program signed in by SOAP and was given this session id, or null. */
  ofSoapSession(sessionId: string): Promise<Credential | null>;
  /** Who has this id, or else this username in any case of letters; null when nobody active does. */
  ofName(idOrUsername: string): Promise<Viewer | null>;
  /** What the database notified: a user's id, or `*` for everybody. */
  changed(payload: string): void;
}

type Parts = Pick<
  Context,
  'db' | 'directory' | 'secrets' | 'passwords' | 'settings' | 'signInLimits' | 'sessionLifetime'
>;

export function createCredentials(parts: Parts): Credentials {
  const { db, secrets } = parts;
  const tokens = createIdentityCache<Credential>();
  const sessions = createIdentityCache<Credential>();
  const passwords = createIdentityCache<CachedIdentity>();
  const names = createIdentityCache<CachedIdentity>();
  const memories = [tokens, sessions, passwords, names];

  const found = (viewer: Viewer | null): CachedIdentity | null =>
    viewer && { viewer, expiresAt: viewer.validUntil };
  const forget = (userId: number) => {
    for (const memory of memories) memory.forget(userId);
  };
  const forgetAll = () => {
    for (const memory of memories) memory.forgetAll();
  };

  return {
    ofToken: async (token) => {
      const digest = secrets.digest(token);
      const known = await tokens.recall(
        textOf(digest),
        async () =>
          (isAccessTokenShaped(token) ? await credentialOfAccessToken(db, digest) : null) ??
          credentialOf(db, digest),
      );
      const { userOauthApplications } = parts.settings.current;
      // good for nothing, until the administrator thinks better of it
      const isClosed = known?.isOfUsersApplication && !userOauthApplications;
      return isClosed ? { ...known, scopes: [] } : known;
    },
    lapseOf: async (token) =>
      isAccessTokenShaped(token) ? lapseOf(db, secrets.digest(token)) : null,
    ofSession: (token) => {
      const digest = secrets.digest(token);
      return sessions.recall(textOf(digest), () =>
        credentialOfSession(db, digest, parts.sessionLifetime),
      );
    },
    ofSoapSession: (sessionId) =>
      sessions.recall(`soap ${textOf(secrets.digest(sessionId))}`, () =>
        credentialOfSoapSession(sessionId, parts),
      ),
    ofPassword: async (attempt) => {
      const { login, password } = attempt;
      const key = textOf(secrets.digest(`password\0${login}\0${password}`));
      const known = await passwords.recall(key, async () => {
        const user = await findByPassword(attempt, parts);
        return user && found(await viewerOf(db, user.id));
      });
      return known?.viewer ?? null;
    },
    ofName: async (idOrUsername) => {
      const key = idOrUsername.toLowerCase();
      const known = await names.recall(key, async () => found(await viewerCalled(db, key)));
      return known?.viewer ?? null;
    },
    forget,
    forgetAll,
    changed: (payload) => (payload === '*' ? forgetAll() : forget(Number(payload))),
  };
}

const textOf = (digest: Uint8Array) => Buffer.from(digest).toString('latin1');
