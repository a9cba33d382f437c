import type { Context } from '../../schema/kernel/context.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import { finishPush } from '../../schema/pushes/finish.ts';
import { readPushOptions } from '../../schema/pushes/options.ts';
import { admitPush } from '../../schema/repository/push.ts';
import { authorizeTransport } from '../../schema/repository/transport.ts';
import {
  admitWikiPush,
  authorizeWikiTransport,
  isTransferPermitted,
  isWikiPath,
} from '../../schema/wikis/transport.ts';
import { holderOfSource } from '../accounts/credential-sources.ts';
import type { Credentials } from '../accounts/credentials.ts';
import type { GitAccess, Granted, Push, Refused } from './access.ts';
import type { Identify, Identity } from './identify.ts';

/** A job token may read, but not push (v4-behaviour 4.2). */
export const downloadOnly: Refused = {
  outcome: 'denied',
  text: 'You are not allowed to upload code for this project.',
};

/** Implements git's access port with the core. */
export function coreAccess(
  parts: Omit<Context, 'viewer'>,
  identify: Identify,
  identities: Pick<Credentials, 'ofName'>,
): GitAccess {
  /** The right of a transfer, which ends with the credential that it began with. */
  const rightOf = (
    { viewer, source }: Identity,
    transfer: Omit<Parameters<typeof isTransferPermitted>[0], 'protocol'>,
  ): NonNullable<Granted['right']> => ({
    userIds: viewer ? [viewer.id] : [],
    projectId: transfer.projectId,
    check: async () => {
      const holder = source
        ? await holderOfSource(source, parts, identities)
        : { viewer: null, validUntil: null };
      if (!holder) return null;
      const ctx = { ...parts, viewer: holder.viewer };
      return (await isTransferPermitted({ ...transfer, protocol: 'http' }, ctx)) ? holder : null;
    },
  });
  return {
    authorize: async (request) => {
      const identity = await identify(request);
      if ('outcome' in identity) return identity;
      const { path, service } = request;
      if (identity.source && 'jobId' in identity.source && service === 'git-receive-pack') {
        return downloadOnly;
      }
      const ctx = { ...parts, viewer: identity.viewer };
      const isWiki = isWikiPath(path);
      const authorize = isWiki ? authorizeWikiTransport : authorizeTransport;
      const answer = await authorize({ path, service, protocol: 'http' }, ctx);
      if (answer.outcome !== 'granted') return answer;
      const { projectId } = answer;
      return { ...answer, isWiki, right: rightOf(identity, { projectId, isWiki, service }) };
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
