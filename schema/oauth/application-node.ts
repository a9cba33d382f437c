import { defineRecord } from '../kernel/nodes.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { applicationNotFound } from './application-find.ts';
import { canManageApplication } from './application-policy.ts';

defineRecord('OauthApplication', {
  model: 'oauthApplication',
  inPerson: true,
  select: () => ({ id: true, ownerId: true }) as const,
  check: (application, ctx) => {
    if (!canManageApplication(signedIn(ctx), application)) throw applicationNotFound();
  },
});
