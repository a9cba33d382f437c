import { graphql } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { avatar } from '../kernel/avatar.ts';
import { field } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { table, visibilityMark } from '../kernel/parts.ts';
import { day, when } from '../kernel/times.ts';
import { adminGet } from './admin-pages.ts';

const Groups = graphql(`
  query AdminGroups($search: String, $page: Int!, $perPage: Int!) {
    groups(filter: { search: $search }, page: $page, perPage: $perPage) {
      total
      nodes { name fullPath avatarUrl visibility projects(perPage: 1) { total } }
    }
  }
`);

const Projects = graphql(`
  query AdminProjects($search: String, $page: Int!, $perPage: Int!) {
    projects(
      filter: { search: $search, archived: include }, page: $page, perPage: $perPage
      orderBy: createdAt, sort: desc
    ) {
      total
      nodes {
        name fullName fullPath avatarUrl visibility isArchived createdAt lastActivityAt
      }
    }
  }
`);

interface Listing {
  readonly path: string;
  readonly title: string;
  readonly search: string;
  readonly page: number;
  readonly total: number;
  readonly content: Html;
}

/** A list below a search form. */
const listingPage = (
  visit: Visit,
  { path, title, search, page, total, content }: Listing,
): Answer =>
  adminPage(visit, {
    section: path,
    title,
    main: html`<form method="get" action="${visit.url(path)}" class="filters" role="search">
${field({ name: 'search', id: 'name-search', label: 'Name or path', type: 'search', value: search })}
<button>Search</button>
</form>
<p class="quiet">${total} found</p>
${content}
${pager({ address: visit.url(path), page, total, query: { search } })}`,
  });

const askedIn = (visit: Visit) => ({
  search: visit.query.search?.trim() ?? '',
  page: pageOf(visit),
});

async function groupsPage(visit: Visit): Promise<Answer> {
  const { search, page } = askedIn(visit);
  const { groups } = await visit.ask(Groups, { search: search || null, page, perPage });
  const rows = groups.nodes.map((group) => {
    const address = visit.url(`/groups/${encoded(group.fullPath)}`);
    return [
      html`${avatar(group)} <a href="${address}">${group.fullPath}</a>`,
      visibilityMark(group.visibility),
      html`${group.projects.total}`,
      html`<a href="${address}/edit" aria-label="Edit ${group.fullPath}">Edit</a>`,
    ];
  });
  return listingPage(visit, {
    path: '/admin/groups',
    title: 'Groups',
    search,
    page,
    total: groups.total,
    content: table('Groups', 'No group was found.', ['Group', 'Visibility', 'Projects', ''], rows),
  });
}

async function projectsPage(visit: Visit): Promise<Answer> {
  const { search, page } = askedIn(visit);
  const { projects } = await visit.ask(Projects, { search: search || null, page, perPage });
  const rows = projects.nodes.map((project) => {
    const address = visit.url(`/${encoded(project.fullPath)}`);
    return [
      html`${avatar(project)} <a href="${address}">${project.fullName}</a>${project.isArchived && html` <span class="badge">archived</span>`}`,
      visibilityMark(project.visibility),
      day(project.createdAt),
      when(project.lastActivityAt),
      html`<a href="${address}/edit" aria-label="Edit ${project.fullPath}">Edit</a>`,
    ];
  });
  return listingPage(visit, {
    path: '/admin/projects',
    title: 'Projects',
    search,
    page,
    total: projects.total,
    content: table(
      'Projects',
      'No project was found.',
      ['Project', 'Visibility', 'Created', 'Last activity', ''],
      rows,
    ),
  });
}

export const namespacePages: readonly Page[] = [
  adminGet('/admin/groups', groupsPage),
  adminGet('/admin/projects', projectsPage),
];
