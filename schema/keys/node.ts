import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { keyNotFound } from './find.ts';
import { canManageKeys, canSeeAllKeys } from './policy.ts';

/** The keys of users; administrators see the deploy keys, too, which belong to no user. */
const KeyNode = defineRecord('SshKey', {
  model: 'key',
  select: () => ({ id: true, userId: true }) as const,
  check: ({ userId }, ctx) => {
    const viewer = signedIn(ctx);
    const isOwn = userId !== null && canManageKeys(viewer, userId);
    if (!isOwn && !canSeeAllKeys(viewer)) throw keyNotFound();
  },
});

/** For fields of a key by user and id. */
export const byKey = byRecord(KeyNode, { userId: ({ userId }) => userId, id: ({ id }) => id });
