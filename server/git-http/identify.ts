import type { Context } from '../../schema/kernel/context.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import { type Viewer, viewerOfJob } from '../../schema/kernel/viewer.ts';
import { isTokenOfJob, runningJobOfToken } from '../../schema/runner-jobs/credentials.ts';
import type { CredentialSource } from '../../schema/sessions/credential-source.ts';
import type { Credentials } from '../accounts/credentials.ts';
import { identifyCaller } from '../scheduling/scope.ts';
import type { AccessRequest, BasicCredentials, Refused } from './access.ts';
import { accessDenied } from './responses.ts';

/** The user that a client has authenticated as, and the credential by which it did. */
export type Identity = AuthenticatedIdentity | { readonly viewer: null; readonly source: null };

interface AuthenticatedIdentity {
  /** With the rights of the job if it is one. */
  readonly viewer: Viewer;
  readonly source: CredentialSource;
}

export type Identify = (
  request: Pick<AccessRequest, 'credentials' | 'address'>,
) => Promise<Identity | Refused>;

type Parts = Omit<Context, 'viewer'>;

const tooMany = { outcome: 'throttled', text: '429 Too Many Requests\n' } as const;

const denied: Refused = { outcome: 'unauthenticated', text: accessDenied };

const tokenNeeded: Refused = {
  outcome: 'unauthenticated',
  text: `${accessDenied}You must use a personal access token with 'api' scope for Git over HTTP.\n`,
};

/** The username for job tokens. */
const jobName = 'gitlab-ci-token';

/** Counts a wrong token against an address; the refusal for it. */
export async function refuseToken(
  address: string,
  { signInLimits }: Pick<Parts, 'signInLimits'>,
): Promise<Refused> {
  const retryAfter = await signInLimits.countWrongToken(address);
  return retryAfter > 0 ? { ...tooMany, retryAfter } : denied;
}

/**
 * Finds users by the credentials of git over HTTP. Wrong ones are rejected even where none are required
 * (v4-behaviour 4.3).
 */
export function identifier(parts: Parts, identities: Credentials): Identify {
  const identify = identityBy(parts, identities);
  return async (request) => {
    const identity = await identify(request);
    if ('viewer' in identity) identifyCaller(identity.viewer);
    return identity;
  };
}

const identityBy =
  (parts: Parts, identities: Credentials): Identify =>
  async ({ credentials, address }) => {
    if (!credentials) return { viewer: null, source: null };
    const job = await jobOf(credentials, parts, identities);
    if (job) return job;
    try {
      const identity = await userOf(credentials, address, identities);
      if (identity) return identity;
      if (credentials.username === jobName && !(await isTokenOfJob(credentials.password, parts))) {
        const refusal = await refuseToken(address, parts);
        if (refusal.outcome === 'throttled') return refusal;
      }
      const { passwordAuthenticationEnabled } = parts.settings.current;
      return passwordAuthenticationEnabled ? denied : tokenNeeded;
    } catch (error) {
      const refusal = error instanceof DomainError ? refusalOf(error) : null;
      if (!refusal) throw error;
      return refusal;
    }
  };

/** The running job with this token and its user; null when it is no job token. */
async function jobOf(
  { username, password }: BasicCredentials,
  parts: Parts,
  identities: Credentials,
): Promise<AuthenticatedIdentity | null> {
  if (username !== jobName || password === '') return null;
  const job = await runningJobOfToken(password, parts);
  const user = job && (await identities.ofName(String(job.userId)));
  return user && { viewer: viewerOfJob(user, job), source: { jobId: job.id } };
}

/** A token as the password, with any username; otherwise a username or email and its password. */
async function userOf(
  { username, password }: BasicCredentials,
  address: string,
  identities: Credentials,
): Promise<AuthenticatedIdentity | null> {
  if (password === '') return null;
  const credential = await identities.ofToken(password);
  if (credential) {
    const { viewer, source, scopes } = credential;
    return viewer && source && scopes.includes('api') ? { viewer, source } : null;
  }
  // the token of a finished job does not count as a password attempt
  if (username === jobName) return null;
  return identities.ofPassword({ login: username, password, address, mayBeToken: true });
}

function refusalOf({ reason, retryAfter }: DomainError): Refused | null {
  if (reason === 'two-factor-required') return tokenNeeded;
  if (reason !== 'throttled') return null;
  return { ...tooMany, retryAfter: retryAfter ?? 1 };
}
