import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressInGroup } from '../frame/address-in.ts';
import { type Group, groupHead } from '../frame/group-head.ts';
import type { GroupPage } from '../frame/sections.ts';
import { avatar } from '../kernel/avatar.ts';
import { field } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { emptyState, visibilityMark } from '../kernel/parts.ts';
import { ownLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';
import { accessActions, groupAccessFields } from '../members/own-access.ts';
import { projectRowFields, projectRows } from '../projects/project-rows.ts';
import { groupRowFields, groupRows } from './group-rows.ts';

const contents = graphql(
  `query BrowsedGroup(
    $group: ID!, $viewer: Int!, $search: String
    $page: Int!, $perPage: Int!, $subgroups: Int!, $shared: Int!
  ) {
    group(id: $group) {
      ...GroupAccessFields
      members(perPage: 12) { total nodes { user { username name avatarUrl } } }
      projects(
        filter: { search: $search, archived: include }
        page: $page, perPage: $perPage, orderBy: name, sort: asc
      ) { total nodes { ...ProjectRowFields } }
      sharedProjects(filter: { search: $search }, page: $shared, perPage: $perPage) {
        total nodes { ...ProjectRowFields }
      }
      subgroups(filter: { search: $search }, page: $subgroups, perPage: $perPage) {
        total nodes { ...GroupRowFields }
      }
    }
  }`,
  [groupAccessFields, projectRowFields, groupRowFields],
);

type Contents = ResultOf<typeof contents>['group'];

/** A group with its visible subgroups and projects. */
export const showGroup: GroupPage = async (visit, group, rest) => {
  if (rest !== '') throw pathNotFound();
  const { id, name, fullPath, description } = group;
  const search = visit.query.search?.trim() ?? '';
  const content = (
    await visit.ask(contents, {
      group: String(id),
      viewer: visit.viewer?.id ?? 0,
      search: search === '' ? null : search,
      page: pageOf(visit),
      perPage,
      subgroups: pageIn(visit, 'groups'),
      shared: pageIn(visit, 'shared'),
    })
  ).group;
  return {
    title: fullPath,
    main: html`${groupHead(visit, group, '')}
<div class="profile">${avatar(group, 'large')}
<div><h1>${name} ${visibilityMark(group.visibility)}</h1>
${description && (await markdown(visit, description, ownLinking(visit)))}
${accessActions(visit, content, addressInGroup(visit, group, 'group_members'))}</div>
<p class="row">${createLinks(visit, group)}</p>
</div>
<div class="columns">
<div>${lists(visit, group, { content, search })}</div>
<aside aria-label="Members">${members(visit, group, content)}</aside>
</div>`,
  };
};

/** The page of one of the lists, by the name of its parameter. */
const pageIn = (visit: Visit, parameter: string): number =>
  pageOf({ ...visit, query: { page: visit.query[parameter] ?? '1' } });

function createLinks({ url }: Visit, { id, canAdminister, canCreateProjects }: Group): Html {
  return html`${
    canAdminister &&
    html`<a class="button secondary" href="${url(`/groups/new?parent_id=${id}`)}">${icon('plus')}New subgroup</a>`
  }${
    canCreateProjects &&
    html`<a class="button" href="${url(`/projects/new?namespace_id=${id}`)}">${icon('plus')}New project</a>`
  }`;
}

interface Shown {
  readonly content: Contents;
  readonly search: string;
}

function lists(visit: Visit, group: Group, { content, search }: Shown): Html {
  const { projects, subgroups, sharedProjects } = content;
  const address = addressInGroup(visit, group);
  // each pager keeps the pages of the other lists
  const pages: Record<string, string> = {
    ...(search && { search }),
    page: String(pageOf(visit)),
    groups: String(pageIn(visit, 'groups')),
    shared: String(pageIn(visit, 'shared')),
  };
  const pagerOf = (parameter: string, total: number, label: string) =>
    pager({ address, page: Number(pages[parameter]), total, query: pages, parameter, label });
  const isNew = projects.total + subgroups.total === 0 && search === '';
  if (isNew && sharedProjects.total === 0) return nothingYet(visit, group);
  return html`<form method="get" action="${address}" role="search" class="filters">
${field({ name: 'search', label: 'Search this group', type: 'search', value: search })}
<button class="secondary">Search</button>
</form>
${
  subgroups.total > 0 &&
  html`<h2>Subgroups <span class="count">${subgroups.total}</span></h2>
${groupRows(visit, subgroups.nodes, { none: 'There are no more subgroups.' })}
${pagerOf('groups', subgroups.total, 'Pages of subgroups')}`
}
<h2>Projects <span class="count">${projects.total}</span></h2>
${projectRows(visit, projects.nodes, {
  none: search === '' ? 'There are no projects.' : 'No projects match your search.',
})}
${pagerOf('page', projects.total, 'Pages')}
${
  sharedProjects.total > 0 &&
  html`<h2>Shared projects <span class="count">${sharedProjects.total}</span></h2>
${projectRows(visit, sharedProjects.nodes, { isFull: true })}
${pagerOf('shared', sharedProjects.total, 'Pages of shared projects')}`
}`;
}

const nothingYet = (visit: Visit, group: Group): Html =>
  emptyState(
    'There are no projects in this group yet',
    group.canCreateProjects
      ? 'Create the first project, or transfer one from its settings.'
      : 'Projects that you can see appear here.',
    group.canCreateProjects
      ? html`<a class="button" href="${visit.url(`/projects/new?namespace_id=${group.id}`)}">New project</a>`
      : null,
  );

function members(visit: Visit, group: Group, { members: shown }: Contents): Html | null {
  if (!shown) return null;
  const address = addressInGroup(visit, group, 'group_members');
  return html`<section><h2>Members <span class="count">${shown.total}</span></h2>
<p class="faces">${shown.nodes.map(
    ({ user }) =>
      html`<a href="${visit.url(`/${user.username}`)}" title="${user.name}" aria-label="${user.name}">${avatar(user, 'medium')}</a>`,
  )}</p>
<p><a href="${address}">All members</a></p></section>`;
}
