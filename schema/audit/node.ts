import { administrator } from '../administration/policy.ts';
import { defineRecord } from '../kernel/nodes.ts';

defineRecord('AuditEvent', {
  model: 'auditEvent',
  select: () => ({ id: true }) as const,
  check: (_event, ctx) => administrator(ctx),
});
