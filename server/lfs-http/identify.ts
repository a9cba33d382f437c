import type { Context } from '../../schema/kernel/context.ts';
import type { LfsCaller } from '../../schema/lfs/access.ts';
import { type LfsHolder, readLfsToken, tokenUsername } from '../../schema/lfs/token.ts';
import type { CredentialSource } from '../../schema/sessions/credential-source.ts';
import { holderOfSource, type SourceHolder } from '../accounts/credential-sources.ts';
import type { Credentials } from '../accounts/credentials.ts';
import type { BasicCredentials, Refused } from '../git-http/access.ts';
import { type Identify, refuseToken } from '../git-http/identify.ts';
import { accessDenied, projectNotFound } from '../git-http/responses.ts';

import { identifyCaller } from '../scheduling/scope.ts';

type Parts = Omit<Context, 'viewer'>;

/** Finds the caller by the credentials of git over HTTP, or by an LFS token. */
export type IdentifyLfs = (request: {
  readonly credentials: BasicCredentials | null;
  readonly address: string;
}) => Promise<LfsCaller | Refused>;

/** The user of a holder; null if its credential has ended, or its user is blocked. */
export type IdentifyAgain = (holder: LfsHolder) => Promise<SourceHolder | null>;

const denied: Refused = { outcome: 'unauthenticated', text: accessDenied };

/** A client with a deploy key has no other credentials, so it is not asked for any. */
const missing: Refused = { outcome: 'missing', text: projectNotFound };

/** Gives the callers of LFS, and checks them again while a transfer runs. */
export function lfsIdentifier(parts: Parts, identify: Identify, identities: Credentials) {
  const identifyAgain: IdentifyAgain = (holder) => validHolder(holder, parts, identities);
  return { identify: identifyLfs(parts, identify, identifyAgain), identifyAgain };
}

const identifyLfs =
  (parts: Parts, identify: Identify, identifyAgain: IdentifyAgain): IdentifyLfs =>
  async ({ credentials, address }) => {
    if (credentials?.username === tokenUsername) {
      const token = readLfsToken(credentials.password, parts);
      // no guess: the client repeats its first request
      if (token === 'expired') return denied;
      if (token) {
        const { holder } = token;
        const valid = await identifyAgain(holder);
        if (valid) {
          identifyCaller(valid.viewer);
          return { viewer: valid.viewer, holder, grant: token };
        }
        return 'deployKeyId' in holder ? missing : denied;
      }
      if (credentials.password.startsWith('lfs.')) return refuseToken(address, parts);
    }
    const identity = await identify({ credentials, address });
    if ('outcome' in identity) return identity;
    const { viewer, source } = identity;
    return { viewer, holder: viewer && holderWith(viewer.id, source), grant: null };
  };

const holderWith = (userId: number, source: CredentialSource): LfsHolder =>
  'jobId' in source ? source : { userId, credential: source };

async function validHolder(
  holder: LfsHolder,
  parts: Parts,
  identities: Pick<Credentials, 'ofName'>,
): Promise<SourceHolder | null> {
  if ('deployKeyId' in holder) {
    return holderOfSource({ keyId: holder.deployKeyId }, parts, identities);
  }
  if ('jobId' in holder) return holderOfSource(holder, parts, identities);
  const { userId, credential } = holder;
  if (credential) return holderOfSource(credential, parts, identities);
  const viewer = await identities.ofName(String(userId));
  return viewer && { viewer, validUntil: viewer.validUntil };
}
