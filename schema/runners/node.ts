import { defineRecord } from '../kernel/nodes.ts';
import { findRunner } from './find.ts';
import { reasonNotToShow } from './policy.ts';

defineRecord('Runner', {
  model: 'runner',
  select: () => ({ id: true }) as const,
  check: ({ id }, ctx) => findRunner(id, reasonNotToShow, ctx),
});
