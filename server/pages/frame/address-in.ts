import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import type { Visit } from '../kernel/page.ts';

/** An address in a project: `addressIn(visit, project, 'tree', 'master', 'lib')`. */
export const addressIn = (
  visit: Visit,
  { fullPath }: { readonly fullPath: string },
  ...parts: readonly string[]
): string => visit.url(`/${encoded([fullPath, ...parts.filter(Boolean)].join('/'))}`);

/** An address in a group: `addressInGroup(visit, group, 'group_members')`. */
export const addressInGroup = (
  visit: Visit,
  { fullPath }: { readonly fullPath: string },
  ...parts: readonly string[]
): string => visit.url(`/groups/${encoded([fullPath, ...parts.filter(Boolean)].join('/'))}`);
