import type { Duplex } from 'node:stream';
import type { Locks } from '../git/refs/locks.ts';
import type { GitLog, Push, PushRules } from './access.ts';
import { letThrough, readAnnouncement, refuse } from './hook-conversation.ts';
import { markForced } from './quarantine.ts';

interface PushRulesInput extends Omit<Push, 'changes' | 'options'> {
  readonly channel: Duplex;
  readonly folder: string;
  readonly access: PushRules;
  readonly log: GitLog;
  /** Deletes stale locks of the references; gives a lock that is still held, or null. */
  readonly freeLocks: Locks['free'];
  /** A client that disconnects before the rules are checked pushes nothing. */
  readonly isClientGone: () => boolean;
  /** Whether the credential and the right of the client still exist: receiving a pack may take an hour. */
  readonly isPermitted?: (() => Promise<boolean>) | undefined;
}

const lockedMessage = 'The repository is locked by another process. Try again in a minute.';
const internalErrorMessage = 'The push was refused because of an internal error.';

/**
 * Handles the hook of a push: checks the rules, and accepts or refuses the push. Returns the ledger
 * row, null when the push was refused; never rejects.
 */
export function applyPushRules(input: PushRulesInput): Promise<bigint | null> {
  const { channel, access, log, projectId } = input;
  // the hook may be killed during the conversation
  channel.on('error', () => {});
  const decide = async (): Promise<bigint | null> => {
    const announcement = await readAnnouncement(channel);
    if (!announcement) return null;
    if (input.isClientGone()) {
      refuse(channel, 'The client disconnected.');
      return null;
    }
    if (input.isPermitted && !(await input.isPermitted())) {
      refuse(channel, 'Your access to the project has ended.');
      return null;
    }
    const refs = announcement.changes.map(({ ref }) => ref);
    const lock = await input.freeLocks(input.folder, refs);
    if (lock !== null) {
      log.warn({ lock, projectId }, 'a push was refused because of a lock');
      refuse(channel, lockedMessage);
      return null;
    }
    const changes = await markForced(input.folder, announcement);
    const { userId, deployKeyId, repository, isWiki } = input;
    const { options } = announcement;
    const push = { projectId, userId, deployKeyId, repository, isWiki, changes, options };
    const verdict = await access.beforeReferencesMove(push);
    if ('refusal' in verdict) {
      refuse(channel, verdict.refusal);
      return null;
    }
    letThrough(channel, verdict.warnings);
    return verdict.ledger;
  };
  return decide()
    .catch((error: Error) => {
      log.error({ err: error, projectId }, 'the push rules could not be checked');
      refuse(channel, internalErrorMessage);
      return null;
    })
    .finally(() => channel.resume());
}

/**
 * Settles a push of which git has exited; `ledger` is what `applyPushRules` has returned. Gives the
 * lines that git shows to the pusher; never rejects.
 */
export async function settleAdmitted(
  ledger: bigint | null,
  { projectId, deployKeyId }: Pick<Push, 'projectId' | 'deployKeyId'>,
  { access, log }: Pick<PushRulesInput, 'access' | 'log'>,
): Promise<readonly string[]> {
  if (ledger === null) return [];
  try {
    return await access.afterReferencesMoved(ledger, { deployKeyId });
  } catch (error) {
    // the push has happened: the ledger is settled again every 30 seconds
    log.error({ err: error, projectId }, 'a push could not be settled');
    return [];
  }
}
