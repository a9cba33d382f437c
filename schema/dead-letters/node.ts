import { defineRecord } from '../kernel/nodes.ts';
import { administrator } from './policy.ts';

defineRecord('DeadLetter', {
  model: 'deadLetter',
  select: () => ({ id: true }) as const,
  check: (_deadLetter, ctx) => administrator(ctx),
});
