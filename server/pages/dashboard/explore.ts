import { type Html, html } from '../kernel/html.ts';
import { choices } from '../kernel/listing.ts';
import type { Page, ShownPage, Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { newGroup, newProject } from './create-buttons.ts';
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

/** An empty list; a visitor who is not signed in may see more afterwards. */
const nothingYet = ({ viewer, url }: Visit, what: string, create: Html | null): Html =>
  emptyState(
    `There are no ${what} yet`,
    viewer ? `Public ${what}, and those of yours, appear here.` : `Public ${what} appear here.`,
    viewer ? create : html`<a class="button" href="${url('/users/sign_in')}">Sign in</a>`,
  );

async function exploreProjects(visit: Visit): Promise<ShownPage> {
  const { main } = await projectList(visit, {
    path: '/explore',
    filter: {},
    none: nothingYet(visit, 'projects', newProject(visit)),
  });
  return {
    title: 'Explore projects',
    main: html`<div class="bar"><h1>Explore</h1>${visit.viewer && newProject(visit)}</div>
${tabs(visit, 'Projects')}
${main}`,
  };
}

async function exploreGroups(visit: Visit): Promise<ShownPage> {
  const create = await newGroup(visit);
  const main = await groupList(visit, {
    path: '/explore/groups',
    filter: {},
    none: nothingYet(visit, 'groups', create),
  });
  return {
    title: 'Explore groups',
    main: html`<div class="bar"><h1>Explore</h1>${create}</div>
${tabs(visit, 'Groups')}
${main}`,
  };
}

export const explorePages: readonly Page[] = [
  { method: 'get', path: '/explore', access: 'anyone', isKept: true, answer: exploreProjects },
  { method: 'get', path: '/explore/groups', access: 'anyone', answer: exploreGroups },
];
