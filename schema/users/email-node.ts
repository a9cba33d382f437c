import { notFound } from '../kernel/errors.ts';
import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { canManageEmails } from './policy.ts';

const EmailNode = defineRecord('Email', {
  model: 'email',
  select: () => ({ id: true, userId: true }) as const,
  check: ({ userId }, { viewer }) => {
    if (!canManageEmails(viewer, userId)) throw notFound('Email');
  },
});

/** For fields of an e-mail address by user and id. */
export const byEmail = byRecord(EmailNode, { userId: ({ userId }) => userId, id: ({ id }) => id });
