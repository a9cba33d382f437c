import type { Context } from '../../schema/kernel/context.ts';
import { viewerOfJob } from '../../schema/kernel/viewer.ts';
import type { LfsCaller } from '../../schema/lfs/access.ts';
import { type LfsHolder, readLfsToken, tokenUsername } from '../../schema/lfs/token.ts';
import { runningJobById } from '../../schema/runner-jobs/credentials.ts';
import type { Credentials } from '../accounts/credentials.ts';
import type { BasicCredentials, Refused } from '../git-http/access.ts';
import { type Identify, refuseToken } from '../git-http/identify.ts';
import { accessDenied } from '../git-http/responses.ts';

type Parts = Omit<Context, 'viewer'>;

/** Finds the caller by the credentials of git over HTTP, or by an LFS token. */
export type IdentifyLfs = (request: {
  readonly credentials: BasicCredentials | null;
  readonly address: string;
}) => Promise<LfsCaller | Refused>;

const denied: Refused = { outcome: 'unauthenticated', text: accessDenied };

export const lfsIdentifier =
  (parts: Parts, identify: Identify, identities: Credentials): IdentifyLfs =>
  async ({ credentials, address }) => {
    if (credentials?.username === tokenUsername) {
      const token = readLfsToken(credentials.password, parts);
      // no guess: the client repeats its first request
      if (token === 'expired') return denied;
      if (token) {
        const viewer = await viewerOf(token.holder, parts, identities);
        return viewer === 'none' ? denied : { viewer, holder: token.holder, grant: token };
      }
      if (credentials.password.startsWith('lfs.')) return refuseToken(address, parts);
    }
    const identity = await identify({ credentials, address });
    if ('outcome' in identity) return identity;
    const { viewer, jobId } = identity;
    const user = viewer && { userId: viewer.id };
    return { viewer, holder: jobId === null ? user : { jobId }, grant: null };
  };

/** The user of a token; null for a deploy key, and `none` if the holder may do nothing any more. */
async function viewerOf(holder: LfsHolder, parts: Parts, identities: Credentials) {
  if ('deployKeyId' in holder) return null;
  const job = 'jobId' in holder ? await runningJobById(holder.jobId, parts) : null;
  const userId = 'userId' in holder ? holder.userId : job?.userId;
  const user = userId === undefined ? null : await identities.ofName(String(userId));
  if (!user) return 'none';
  return job ? viewerOfJob(user, job) : user;
}
