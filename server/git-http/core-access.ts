import type { Context } from '../../schema/kernel/context.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import { admitPush } from '../../schema/repository/push.ts';
import { settlePush } from '../../schema/repository/settle.ts';
import { authorizeTransport } from '../../schema/repository/transport.ts';
import { isTokenOfJob, userOfRunningJob } from '../../schema/runner-jobs/credentials.ts';
import { admitWikiPush, authorizeWikiTransport, isWikiPath } from '../../schema/wikis/transport.ts';
import type { Credentials } from '../accounts/credentials.ts';
import type { AccessRequest, BasicCredentials, GitAccess, Refused } from './access.ts';
import { accessDenied } from './responses.ts';

const tooMany = { outcome: 'throttled', text: '429 Too Many Requests\n' } as const;

const denied: Refused = { outcome: 'unauthenticated', text: accessDenied };

const tokenNeeded: Refused = {
  outcome: 'unauthenticated',
  text: `${accessDenied}You must use a personal access token with 'api' scope for Git over HTTP.\n`,
};

/** A job token may read what the job's user may read, but not push (v4-behaviour 4.2). */
const downloadOnly: Refused = {
  outcome: 'denied',
  text: 'You are not allowed to upload code for this project.',
};

/** Implements git's access port with the core. */
export function coreAccess(parts: Omit<Context, 'viewer'>, identities: Credentials): GitAccess {
  /** Wrong credentials are rejected even where none are required (v4-behaviour 4.3). */
  const identify = async ({
    credentials,
    address,
    service,
  }: AccessRequest): Promise<{ readonly viewer: Viewer | null } | Refused> => {
    if (!credentials) return { viewer: null };
    const runsFor = await runsForWhom(credentials, parts, identities);
    if (runsFor) return service === 'git-receive-pack' ? downloadOnly : { viewer: runsFor };
    try {
      const viewer = await viewerOf(credentials, address, identities);
      if (viewer) return { viewer };
      if (credentials.username === jobName && !(await isTokenOfJob(credentials.password, parts))) {
        const retryAfter = await parts.signInLimits.countWrongToken(address);
        if (retryAfter > 0) return { ...tooMany, retryAfter };
      }
      const { passwordAuthenticationEnabled } = parts.settings.current;
      return passwordAuthenticationEnabled ? denied : tokenNeeded;
    } catch (error) {
      const refusal = error instanceof DomainError ? refusalOf(error) : null;
      if (!refusal) throw error;
      return refusal;
    }
  };

  return {
    authorize: async (request) => {
      const identity = await identify(request);
      if ('outcome' in identity) return identity;
      const { path, service } = request;
      const ctx = { ...parts, viewer: identity.viewer };
      const isWiki = isWikiPath(path);
      const authorize = isWiki ? authorizeWikiTransport : authorizeTransport;
      const answer = await authorize({ path, service, protocol: 'http' }, ctx);
      return answer.outcome === 'granted' ? { ...answer, isWiki } : answer;
    },
    beforeReferencesMove: async ({ isWiki, ...push }) => {
      try {
        return await (isWiki ? admitWikiPush(push, parts) : admitPush(push, parts));
      } catch (error) {
        const isBusy = error instanceof DomainError && error.code === 'UNAVAILABLE';
        if (isBusy) return { refusal: error.message };
        throw error;
      }
    },
    afterReferencesMoved: (ledger) => settlePush(ledger, parts),
  };
}

/** The username for job tokens. */
const jobName = 'gitlab-ci-token';

/** The user of the running job with this token; null when it is no job token. */
async function runsForWhom(
  { username, password }: BasicCredentials,
  parts: Omit<Context, 'viewer'>,
  identities: Credentials,
): Promise<Viewer | null> {
  if (username !== jobName || password === '') return null;
  const userId = await userOfRunningJob(password, parts);
  return userId === null ? null : identities.ofName(String(userId));
}

/** A token as the password, with any username; otherwise a username or email and its password. */
async function viewerOf(
  { username, password }: BasicCredentials,
  address: string,
  identities: Credentials,
): Promise<Viewer | null> {
  if (password === '') return null;
  const credential = await identities.ofToken(password);
  if (credential) return credential.scopes.includes('api') ? credential.viewer : null;
  // the token of a finished job does not count as a password attempt
  if (username === jobName) return null;
  return identities.ofPassword({ login: username, password, address });
}

function refusalOf({ reason, retryAfter }: DomainError): Refused | null {
  if (reason === 'two-factor-required') return tokenNeeded;
  if (reason !== 'throttled') return null;
  return { ...tooMany, retryAfter: retryAfter ?? 1 };
}
