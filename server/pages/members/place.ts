import { addressIn, addressInGroup } from '../frame/address-in.ts';
import { type Group, groupPage } from '../frame/group-head.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Option } from '../kernel/forms.ts';
import type { Html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';

/** A group or project whose members a page shows. */
export interface MemberPlace {
  readonly kind: 'group' | 'project';
  readonly id: number;
  /** As an argument of the core. */
  readonly source: { readonly group: string } | { readonly project: string };
  /** The address of the group or project, and of its members page. */
  readonly home: string;
  readonly address: string;
  readonly canManage: boolean;
  /** The access levels that its members may have. */
  readonly levels: readonly Option[];
  readonly page: (title: string, main: Html) => ShownPage;
}

const levels: readonly Option[] = [
  ['10', 'Guest'],
  ['20', 'Reporter'],
  ['30', 'Developer'],
  ['40', 'Master'],
];

const groupLevels: readonly Option[] = [...levels, ['50', 'Owner']];

/** The name of an access level. */
export const levelName = (level: number): string =>
  groupLevels.find(([value]) => value === String(level))?.[1] ?? String(level);

export const inProject = (visit: Visit, project: Project): MemberPlace => ({
  kind: 'project',
  id: project.id,
  source: { project: String(project.id) },
  home: addressIn(visit, project),
  address: addressIn(visit, project, 'project_members'),
  canManage: project.access.canEdit,
  levels,
  page: (title, main) => projectPage(visit, project, 'project_members', title, main),
});

export const inGroup = (visit: Visit, group: Group): MemberPlace => ({
  kind: 'group',
  id: group.id,
  source: { group: String(group.id) },
  home: addressInGroup(visit, group),
  address: addressInGroup(visit, group, 'group_members'),
  canManage: group.canAdminister,
  levels: groupLevels,
  page: (title, main) => groupPage(visit, group, 'group_members', title, main),
});
