import type { Html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { addressIn, addressInGroup } from './address-in.ts';
import { type Group, groupPage } from './group-head.ts';
import { type Project, projectPage } from './project-head.ts';
import type { GroupSection, ProjectSection } from './sections.ts';

/** A project or group, whose labels and milestones have the same pages. */
export interface Owner {
  readonly fullPath: string;
  readonly isProject: boolean;
  /** As an argument of the core. */
  readonly source: { readonly project: string } | { readonly group: string };
  address(visit: Visit, ...parts: readonly string[]): string;
  page(visit: Visit, section: string, title: string, main: Html): ShownPage;
}

const ownerOfProject = (project: Project): Owner => ({
  fullPath: project.fullPath,
  isProject: true,
  source: { project: String(project.id) },
  address: (visit, ...parts) => addressIn(visit, project, ...parts),
  page: (visit, section, title, main) => projectPage(visit, project, section, title, main),
});

const ownerOfGroup = (group: Group): Owner => ({
  fullPath: group.fullPath,
  isProject: false,
  source: { group: String(group.id) },
  address: (visit, ...parts) => addressInGroup(visit, group, ...parts),
  page: (visit, section, title, main) => groupPage(visit, group, section, title, main),
});

type OwnerPage = (
  visit: Visit,
  owner: Owner,
  rest: string,
) => ReturnType<NonNullable<ProjectSection['show']>>;

interface OwnerSection {
  readonly word: string;
  readonly show: OwnerPage;
  readonly submit: OwnerPage;
}

/** The pages of a word, for projects. */
export const inProject = ({ word, show, submit }: OwnerSection): ProjectSection => ({
  word,
  show: (visit, project, rest) => show(visit, ownerOfProject(project), rest),
  submit: (visit, project, rest) => submit(visit, ownerOfProject(project), rest),
});

/** The pages of a word, for groups. */
export const inGroup = ({ word, show, submit }: OwnerSection): GroupSection => ({
  word,
  show: (visit, group, rest) => show(visit, ownerOfGroup(group), rest),
  submit: (visit, group, rest) => submit(visit, ownerOfGroup(group), rest),
});
