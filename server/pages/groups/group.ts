import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import type { Group } from '../frame/group-head.ts';
import { trail } from '../frame/project-head.ts';
import { html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { ownLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';
import { projectRowFields, projectRows, shortened } from '../projects/project-rows.ts';

const contents = graphql(
  `query BrowsedGroup($group: ID!, $page: Int!, $perPage: Int!, $subgroups: Int!) {
    group(id: $group) {
      projects(page: $page, perPage: $perPage, orderBy: name, sort: asc) {
        total nodes { ...ProjectRowFields }
      }
      subgroups(page: $subgroups, perPage: $perPage) {
        total nodes { name fullPath description visibility }
      }
    }
  }`,
  [projectRowFields],
);

/** A group with its visible subgroups and projects. */
export async function showGroup(
  visit: Visit,
  { id, name, fullPath, description, visibility }: Group,
  rest: string,
): Promise<Answer> {
  if (rest !== '') throw pathNotFound();
  const page = pageOf(visit);
  const groupPage = pageOf({ ...visit, query: { page: visit.query.groups ?? '1' } });
  const variables = { group: String(id), page, perPage, subgroups: groupPage };
  const { projects, subgroups } = (await visit.ask(contents, variables)).group;
  const address = visit.url(`/groups/${encoded(fullPath)}`);
  // each pager keeps the page of the other list
  const groupPages = {
    address,
    page: groupPage,
    query: { page: String(page) },
    parameter: 'groups',
    label: 'Pages of subgroups',
  };
  const groups = subgroups.nodes.map(
    (
      group,
    ) => html`<a class="name" href="${visit.url(`/groups/${encoded(group.fullPath)}`)}">${group.name}</a> <span class="badge">${group.visibility}</span>
${group.description && html`<span class="quiet">${shortened(group.description)}</span>`}`,
  );
  return {
    title: fullPath,
    main: html`${trail(visit, fullPath)}
<h1>${name} <span class="badge">${visibility}</span></h1>
${description && (await markdown(visit, description, ownLinking(visit)))}
${
  subgroups.total > 0 &&
  html`<h2>Subgroups</h2>${entries(groups, 'There are no more subgroups.')}
${pager({ ...groupPages, total: subgroups.total })}`
}
<h2>Projects</h2>
${projectRows(visit, projects.nodes)}
${pager({ address, page, total: projects.total, query: { groups: String(groupPage) } })}`,
  };
}
