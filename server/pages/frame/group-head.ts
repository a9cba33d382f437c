import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { visibilityMark } from '../kernel/parts.ts';
import { addressInGroup } from './address-in.ts';
import { trail } from './project-head.ts';

/** The group's fields that each of its pages needs. */
export const groupFields = graphql(`
  fragment GroupFields on Group {
    id name fullPath description visibility avatarUrl canAdminister canCreateProjects
  }
`);

export type Group = ResultOf<typeof groupFields>;

/** The tabs of a group: the word after its path, the name, and an icon. */
const tabs: readonly (readonly [word: string, name: string, icon: IconName])[] = [
  ['', 'Group', 'organization'],
  ['issues', 'Issues', 'issue-opened'],
  ['merge_requests', 'Merge requests', 'git-pull-request'],
  ['labels', 'Labels', 'tag'],
  ['milestones', 'Milestones', 'milestone'],
  ['group_members', 'Members', 'people'],
];

/** The head of every group page: breadcrumb and tabs; `section` is the current tab's word. */
export function groupHead(visit: Visit, group: Group, section: string): Html {
  const shown = group.canAdminister
    ? ([...tabs, ['edit', 'Settings', 'gear'], ['settings/ci_cd', 'Variables', 'key']] as const)
    : tabs;
  return html`<div class="place">
<div class="place-name">${avatar(group)}${trail(visit, group.fullPath)}
${visibilityMark(group.visibility)}</div>
</div>
<nav class="tabs" aria-label="Group"><ul>${shown.map(
    ([word, name, symbol]) =>
      html`<li><a href="${addressInGroup(visit, group, word)}"${word === section && html` aria-current="page"`}>${icon(symbol)}${name}</a></li>`,
  )}</ul></nav>`;
}

/** A page of a group below its head. */
export const groupPage = (
  visit: Visit,
  group: Group,
  section: string,
  title: string,
  main: Html,
): ShownPage => ({
  title: `${title} · ${group.fullPath}`,
  main: html`${groupHead(visit, group, section)}
${main}`,
});
