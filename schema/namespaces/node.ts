import { notFound } from '../kernel/errors.ts';
import { defineRecord } from '../kernel/nodes.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { canReadNamespace } from './policy.ts';

defineRecord('Namespace', {
  model: 'namespace',
  select: () => ({ id: true, ancestorIds: true, isRemoved: true }) as const,
  check: (namespace, ctx) => {
    if (namespace.isRemoved || !canReadNamespace(signedIn(ctx), namespace)) {
      throw notFound('Namespace');
    }
  },
});
