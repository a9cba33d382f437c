import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { checkHookOwner } from './find.ts';

/** The project of a hook as an argument of the core; null for a system hook. */
const projectRef = ({ projectId }: { readonly projectId: number | null }) =>
  projectId === null ? null : String(projectId);

const HookNode = defineRecord('Hook', {
  model: 'webHook',
  select: (ctx) => ({ id: true, projectId: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => checkHookOwner(project, ctx),
});

const DeliveryNode = defineRecord('HookDelivery', {
  model: 'hookDelivery',
  select: (ctx) =>
    ({ id: true, hook: { select: { projectId: true, project: projectOfRecord(ctx) } } }) as const,
  check: ({ hook }, ctx) => checkHookOwner(hook.project, ctx),
});

/** For fields of a hook by project and id. */
export const byHook = byRecord(HookNode, { project: projectRef, id: ({ id }) => id });

/** For fields of a delivery by project and id. */
export const byDelivery = byRecord(DeliveryNode, {
  project: ({ hook }) => projectRef(hook),
  id: ({ id }) => id,
});
