import type { Duplex } from 'node:stream';
import type { Locks } from '../git/refs/locks.ts';
import type { GitLog, Push, PushRules, PushVerdict } from './access.ts';
import {
  letThrough,
  type PushAnnouncement,
  readAnnouncement,
  refuse,
} from './hook-conversation.ts';
import { markForced } from './quarantine.ts';
import { outageText } from './responses.ts';

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
  /** Milliseconds after which an undecided push is refused. */
  readonly limit?: number | undefined;
}

/** A push of very many references takes minutes. */
const decisionLimit = 600_000;

const lockedMessage = 'The repository is locked by another process. Try again in a minute.';
const tooLateMessage = 'The push could not be checked in time. Try again in a minute.';
const internalErrorMessage = 'The push was refused because of an internal error.';

/**
 * Handles the hook of a push: checks the rules, and accepts or refuses the push. Returns the ledger
 * row, null when the push was refused; never rejects.
 */
export function applyPushRules(input: PushRulesInput): Promise<bigint | null> {
  const { channel, access, log, projectId } = input;
  // the hook may be killed during the conversation
  channel.on('error', () => {});
  const judge = async (announcement: PushAnnouncement): Promise<PushVerdict> => {
    if (input.isClientGone()) return { refusal: 'The client disconnected.' };
    if (input.isPermitted && !(await input.isPermitted()))
      return { refusal: 'Your access to the project has ended.' };
    const refs = announcement.changes.map(({ ref }) => ref);
    const lock = await input.freeLocks(input.folder, refs);
    if (lock !== null) {
      log.warn({ lock, projectId }, 'a push was refused because of a lock');
      return { refusal: lockedMessage };
    }
    const changes = await markForced(input.folder, announcement);
    const { userId, deployKeyId, repository, isWiki } = input;
    const { options } = announcement;
    const push = { projectId, userId, deployKeyId, repository, isWiki, changes, options };
    return access.beforeReferencesMove(push);
  };
  const decide = async (): Promise<bigint | null> => {
    const announcement = await readAnnouncement(channel);
    if (!announcement) return null;
    const judging = judge(announcement);
    const verdict = await withinLimit(judging, input.limit ?? decisionLimit);
    if (verdict === null) {
      log.error({ projectId }, 'a push was refused because its rules were not checked in time');
      void settleLate(judging, input);
      refuse(channel, tooLateMessage);
      return null;
    }
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
      refuse(channel, outageText(error) ?? internalErrorMessage);
      return null;
    })
    .finally(() => channel.resume());
}

/** The verdict, or null if it takes too long. */
async function withinLimit(
  judging: Promise<PushVerdict>,
  limit: number,
): Promise<PushVerdict | null> {
  let late: NodeJS.Timeout | undefined;
  const isLate = new Promise<null>((resolve) => {
    late = setTimeout(() => resolve(null), limit);
  });
  return Promise.race([judging, isLate]).finally(() => clearTimeout(late));
}

/** The push was refused: its row in the ledger, if it gets one, has no consequences. */
async function settleLate(judging: Promise<PushVerdict>, input: PushRulesInput): Promise<void> {
  const verdict = await judging.catch(() => null);
  if (verdict && 'ledger' in verdict) await settleAdmitted(verdict.ledger, input, input);
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
