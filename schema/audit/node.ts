import { forbidden } from '../kernel/errors.ts';
import { defineRecord } from '../kernel/nodes.ts';

defineRecord('AuditEvent', {
  model: 'auditEvent',
  select: () => ({ id: true }) as const,
  check: (_event, { viewer }) => {
    if (!viewer?.isAdmin) throw forbidden();
  },
});
