import { notFound } from '../kernel/errors.ts';
import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { canManageImpersonationTokens, canManagePersonalTokens } from './policy.ts';

const select = () => ({ id: true, userId: true, kind: true }) as const;

const ImpersonationTokenNode = defineRecord('ImpersonationToken', {
  model: 'accessToken',
  inPerson: true,
  select,
  check: ({ kind }, { viewer }) => {
    if (kind !== 'impersonation' || !canManageImpersonationTokens(viewer)) {
      throw notFound('Impersonation Token');
    }
  },
});

defineRecord('PersonalAccessToken', {
  model: 'accessToken',
  inPerson: true,
  select,
  check: ({ kind, userId }, { viewer }) => {
    if (kind !== 'personal' || !canManagePersonalTokens(viewer, userId)) {
      throw notFound('Personal Access Token');
    }
  },
});

/** For fields of an impersonation token by user and id. */
export const byImpersonationToken = byRecord(ImpersonationTokenNode, {
  userId: ({ userId }) => userId,
  id: ({ id }) => id,
});
