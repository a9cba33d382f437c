import { administrator } from '../administration/policy.ts';
import { defineRecord } from '../kernel/nodes.ts';

defineRecord('DeadLetter', {
  model: 'deadLetter',
  select: () => ({ id: true }) as const,
  check: (_deadLetter, ctx) => administrator(ctx),
});
