import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { choices } from '../kernel/listing.ts';
import type { Page, ShownPage, Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { groupList } from './group-list.ts';
import { projectList } from './project-list.ts';

const tabs = ({ url }: Visit, chosen: string) =>
  choices(
    'What to explore',
    [
      ['Projects', url('/explore')],
      ['Groups', url('/explore/groups')],
    ],
    chosen,
  );

async function exploreProjects(visit: Visit): Promise<ShownPage> {
  const { main } = await projectList(visit, {
    path: '/explore',
    filter: {},
    none: emptyState('There are no projects yet', 'Projects that you can see appear here.'),
  });
  return {
    title: 'Explore projects',
    main: html`<div class="bar"><h1>Explore</h1>${
      visit.viewer &&
      html`<a class="button" href="${visit.url('/projects/new')}">${icon('plus')}New project</a>`
    }</div>
${tabs(visit, 'Projects')}
${main}`,
  };
}

async function exploreGroups(visit: Visit): Promise<ShownPage> {
  const main = await groupList(visit, {
    path: '/explore/groups',
    filter: {},
    none: emptyState('There are no groups yet', 'Groups that you can see appear here.'),
  });
  return {
    title: 'Explore groups',
    main: html`<h1>Explore</h1>
${tabs(visit, 'Groups')}
${main}`,
  };
}

export const explorePages: readonly Page[] = [
  { method: 'get', path: '/explore', access: 'anyone', isKept: true, answer: exploreProjects },
  { method: 'get', path: '/explore/groups', access: 'anyone', answer: exploreGroups },
];
