import type { Context } from '../../schema/kernel/context.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import { finishPush } from '../../schema/pushes/finish.ts';
import { readPushOptions } from '../../schema/pushes/options.ts';
import { admitPush } from '../../schema/repository/push.ts';
import { authorizeTransport } from '../../schema/repository/transport.ts';
import { admitWikiPush, authorizeWikiTransport, isWikiPath } from '../../schema/wikis/transport.ts';
import type { GitAccess, Push, Refused } from './access.ts';
import type { Identify } from './identify.ts';

/** A job token may read, but not push (v4-behaviour 4.2). */
export const downloadOnly: Refused = {
  outcome: 'denied',
  text: 'You are not allowed to upload code for this project.',
};

/** Implements git's access port with the core. */
export function coreAccess(parts: Omit<Context, 'viewer'>, identify: Identify): GitAccess {
  return {
    authorize: async (request) => {
      const identity = await identify(request);
      if ('outcome' in identity) return identity;
      const { path, service } = request;
      if (identity.jobId !== null && service === 'git-receive-pack') return downloadOnly;
      const ctx = { ...parts, viewer: identity.viewer };
      const isWiki = isWikiPath(path);
      const authorize = isWiki ? authorizeWikiTransport : authorizeTransport;
      const answer = await authorize({ path, service, protocol: 'http' }, ctx);
      return answer.outcome === 'granted' ? { ...answer, isWiki } : answer;
    },
    beforeReferencesMove: async ({ isWiki, options: texts, ...push }) => {
      try {
        if (isWiki) return await admitWikiPush(push, parts);
        const read = readPushOptions(texts, callerOf(push), parts);
        if ('refusal' in read) return read;
        const verdict = await admitPush({ ...push, options: read.options }, parts);
        return { ...verdict, warnings: read.warnings };
      } catch (error) {
        const isBusy = error instanceof DomainError && error.code === 'UNAVAILABLE';
        if (isBusy) return { refusal: error.message };
        throw error;
      }
    },
    afterReferencesMoved: (ledger, push) => finishPush(ledger, callerOf(push), parts),
  };
}

const callerOf = ({ deployKeyId }: Pick<Push, 'deployKeyId'>) => ({
  isOfUser: deployKeyId === undefined,
});
