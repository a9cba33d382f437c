import type { Context } from '../../schema/kernel/context.ts';
import { type Viewer, viewerOfJob } from '../../schema/kernel/viewer.ts';
import { keyHolderById } from '../../schema/keys/holder.ts';
import { isDisabled } from '../../schema/oauth/client.ts';
import { endOfTokenFamily } from '../../schema/oauth/delegated-keys.ts';
import { runningJobById } from '../../schema/runner-jobs/credentials.ts';
import { type CredentialSource, passwordMarkOf } from '../../schema/sessions/credential-source.ts';
import { directoryProvider } from '../../schema/sessions/directory.ts';
import type { Credentials } from './credentials.ts';
import type { Permission } from './open-sessions.ts';

type Parts = Pick<Context, 'db' | 'directory' | 'secrets' | 'settings'>;

/** The holder of a credential that is still valid. */
export interface SourceHolder extends Permission {
  /** Null: a deploy key. */
  readonly viewer: Viewer | null;
}

/** The holder of a credential; null if it was revoked, deleted or changed, has expired, or its user is blocked. */
export async function holderOfSource(
  source: CredentialSource,
  parts: Parts,
  identities: Pick<Credentials, 'ofName'>,
): Promise<SourceHolder | null> {
  const owner = await ownerOf(source, parts);
  if (!owner) return null;
  if (owner.userId === null) return { viewer: null, validUntil: owner.expiresAt };
  const user = await identities.ofName(String(owner.userId));
  if (!user) return null;
  const viewer = owner.job ? viewerOfJob(user, owner.job) : user;
  return { viewer, validUntil: earlier(owner.expiresAt, user.validUntil) };
}

interface Owner {
  /** Null: a deploy key. */
  readonly userId: number | null;
  readonly expiresAt: Date | null;
  /** The job of which it is the token. */
  readonly job?: { readonly projectId: number };
}

async function ownerOf(source: CredentialSource, parts: Parts): Promise<Owner | null> {
  if ('accessTokenId' in source) return ownerOfAccessToken(source.accessTokenId, parts);
  if ('oauthTokenId' in source) return ownerOfOauthToken(source.oauthTokenId, parts);
  if ('keyId' in source) return keyHolderById(source.keyId, parts);
  if ('passwordOf' in source) return ownerOfPassword(source, parts);
  const job = await runningJobById(source.jobId, parts);
  return job && { userId: job.userId, expiresAt: null, job };
}

/** Whether a token was replaced by a refresh: the authorization goes on, and the token until its own expiry. */
const isReplaced = async (
  { revokedAt, family }: { readonly revokedAt: Date | null; readonly family: string },
  parts: Pick<Parts, 'db'>,
): Promise<boolean> => revokedAt !== null && (await endOfTokenFamily(family, parts)) !== null;

const isOver = ({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }) =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= new Date());

async function ownerOfAccessToken(id: number, { db }: Parts): Promise<Owner | null> {
  const token = await db.accessToken.findUnique({
    where: { id },
    select: { userId: true, revokedAt: true, expiresAt: true },
  });
  return token && !isOver(token) ? token : null;
}

async function ownerOfOauthToken(id: number, { db, settings }: Parts): Promise<Owner | null> {
  const token = await db.oauthToken.findUnique({
    relationLoadStrategy: 'join',
    where: { id },
    select: {
      userId: true,
      revokedAt: true,
      expiresAt: true,
      family: true,
      application: { select: { ownerId: true } },
    },
  });
  if (!token || token.userId === null) return null;
  const revokedAt = (await isReplaced(token, { db })) ? null : token.revokedAt;
  if (isOver({ ...token, revokedAt })) return null;
  return token.application && isDisabled(token.application, { settings }) ? null : token;
}

/** The rules are those of git over HTTP: no password with a second factor. */
async function ownerOfPassword(
  { passwordOf, passwordMark }: Extract<CredentialSource, { readonly passwordOf: number }>,
  { db, directory, secrets, settings }: Parts,
): Promise<Owner | null> {
  const user = await db.user.findUnique({
    where: { id: passwordOf },
    select: {
      passwordDigest: true,
      isTwoFactorEnabled: true,
      identities: { where: { provider: directoryProvider }, select: { id: true } },
    },
  });
  if (!user || user.isTwoFactorEnabled) return null;
  if (passwordMarkOf(user, { secrets }) !== passwordMark) return null;
  // a directory keeps the other passwords
  const isOwn = directory === null || user.identities.length === 0;
  if (isOwn && !settings.current.passwordAuthenticationEnabled) return null;
  return { userId: passwordOf, expiresAt: null };
}

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other);
