import { graphql } from '../../../schema/client/graphql.ts';
import { addressInGroup } from '../frame/address-in.ts';
import { avatar } from '../kernel/avatar.ts';
import { canSignUp } from '../kernel/can-sign-up.ts';
import { type Html, html } from '../kernel/html.ts';
import { choices } from '../kernel/listing.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { activity, activityFields } from '../users/activity.ts';
import { newProject } from './create-buttons.ts';
import { projectList, searchOf } from './project-list.ts';
import { welcome } from './welcome.ts';

const HomeBeside = graphql(
  `query HomeBeside {
    events(perPage: 8) { nodes { ...ActivityFields } }
    groups(filter: { isMember: true }, perPage: 8) { total nodes { name fullName fullPath avatarUrl } }
  }`,
  [activityFields],
);

interface List {
  readonly name: string;
  readonly filter: Parameters<typeof projectList>[1]['filter'];
  readonly none: string;
}

/** The lists of a user's home, by their query parameter. */
const lists: Readonly<Record<string, List>> = {
  '': { name: 'Your projects', filter: { isMember: true }, none: 'You are in no project yet.' },
  starred: {
    name: 'Starred',
    filter: { isStarred: true },
    none: 'You have not starred a project yet. Star a project to find it here.',
  },
  archived: {
    name: 'Archived',
    filter: { isMember: true, archived: 'only' },
    none: 'None of your projects is archived.',
  },
};

async function home(visit: Visit): Promise<Answer> {
  const { viewer, settings, query, url } = visit;
  if (!viewer) return settings.homePageUrl ? { redirect: settings.homePageUrl } : publicHome(visit);
  const name = Object.hasOwn(lists, query.list ?? '') ? (query.list ?? '') : '';
  const list = lists[name];
  const [shown, beside] = await Promise.all([
    projectList(visit, {
      path: '/',
      filter: list?.filter ?? {},
      query: name === '' ? {} : { list: name },
      none: emptyState(
        list?.none ?? '',
        'Explore the projects of others, or create one.',
        html`<a class="button secondary" href="${url('/explore')}">Explore projects</a>`,
      ),
    }),
    visit.ask(HomeBeside, {}),
  ]);
  if (shown.isEmpty && name === '' && !searchOf(visit).isNarrowed) return welcome(visit);
  const tabs = Object.entries(lists).map(
    ([word, other]) => [other.name, url(word === '' ? '/' : `/?list=${word}`)] as const,
  );
  return {
    title: 'Projects',
    main: html`<div class="columns">
<div>
<div class="bar"><h1>Projects</h1>${newProject(visit)}</div>
${choices('Lists of projects', [...tabs, ['Explore', url('/explore')]], list?.name ?? '')}
${shown.main}
</div>
<aside aria-label="Your groups and activity">
<section><h2>Your groups</h2>
${groupLinks(visit, beside.groups.nodes)}
<p><a href="${url('/groups')}">All groups</a></p></section>
<section><h2>Your recent activity</h2>
${activity(visit, beside.events.nodes, 'Pushes, issues and comments of yours appear here.')}</section>
</aside>
</div>`,
  };
}

interface Linked {
  readonly name: string;
  readonly fullName: string;
  readonly fullPath: string;
  readonly avatarUrl: string | null;
}

const groupLinks = (visit: Visit, groups: readonly Linked[]): Html =>
  groups.length === 0
    ? html`<p class="quiet">You are in no group yet.</p>`
    : html`<ul class="plain">${groups.map(
        (group) =>
          html`<li><a href="${addressInGroup(visit, group)}">${avatar(group)} ${group.fullName}</a></li>`,
      )}</ul>`;

async function publicHome(visit: Visit): Promise<ShownPage> {
  const { url, settings } = visit;
  const { main } = await projectList(visit, {
    path: '/',
    filter: {},
    none: emptyState(
      'There are no public projects yet',
      'Sign in to see the projects that you are a member of.',
      html`<a class="button" href="${url('/users/sign_in')}">Sign in</a>`,
    ),
  });
  return {
    title: 'Projects',
    main: html`<div class="bar"><h1>Projects</h1><p class="row">${
      canSignUp(settings) &&
      html`<a class="button" href="${url('/users/sign_up')}">Create an account</a>`
    }</p></div>
<p>Code, issues, merge requests and pipelines of the public projects of this server.</p>
${main}`,
  };
}

export const homePages: readonly Page[] = [
  { method: 'get', path: '/', access: 'anyone', isKept: true, answer: home },
];
