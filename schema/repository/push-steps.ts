import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject } from '../kernel/no-object.ts';
import { protectNewDefaultBranch, settleDefaultBranch } from './default-branch.ts';
import type { PushStepName } from './deferred-steps.ts';
import { readMessages, readPushedRefs, recordPushEvents, sendPushMessages } from './push-news.ts';
import { deletedTags, deleteOrphanedReleases, ledgerChanges, storeReleases } from './releases.ts';
import { appliedChanges } from './settle.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'settings'>;

/**
 * The job that repeats a failed step of settling a push: applies it, and deletes its row in the same
 * transaction, so that a second run changes nothing. The events and webhooks are those of the push;
 * releases and the default branch follow the references as they are now.
 */
export async function settlePushStep(id: bigint, parts: Parts): Promise<void> {
  const { db, settings } = parts;
  const stored = await db.pushStep.findUnique({ where: { id }, include: { project: true } });
  if (!stored) return;
  const { project, userId } = stored;
  const changes = ledgerChanges(stored.changes);
  const apply = (write: (tx: Transaction) => Promise<void>) =>
    db.$transaction(async (tx) => {
      const { count } = await tx.pushStep.deleteMany({ where: { id } });
      if (count > 0 && !project.isRemoved) await write(tx);
    });
  if (project.isRemoved) return apply(async () => {});
  const pushed = () => readPushedRefs(project, userId, changes, parts);
  const steps: Record<PushStepName, () => Promise<void>> = {
    'default-branch': async () => {
      // the changes have taken effect; a later push may have moved a branch that one of them created
      const refs = await parts.git.readRefs(
        project,
        changes.map(({ ref }) => ref),
      );
      const present = changes.filter(({ ref, after }) => !isNoObject(after) && refs.has(ref));
      const defaultBranch = await settleDefaultBranch(project, present, parts);
      await apply((tx) =>
        protectNewDefaultBranch(tx, { id: project.id, defaultBranch }, present, settings),
      );
    },
    releases: async () => {
      const arrived = await appliedChanges(changes, project, parts.git);
      await deleteOrphanedReleases(project, deletedTags(changes), parts);
      await apply((tx) => storeReleases(tx, stored, arrived));
    },
    events: async () => {
      const refs = await pushed();
      await apply((tx) => recordPushEvents(tx, project.id, refs));
    },
    webhooks: async () => {
      const messages = await readMessages(await pushed(), parts);
      await apply((tx) => sendPushMessages(tx, project.id, messages, parts));
    },
  };
  await steps[stored.step as PushStepName]();
}
