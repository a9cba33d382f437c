import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { groupRowFields, groupRows } from '../groups/group-rows.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { choices, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { day } from '../kernel/times.ts';
import { projectRowFields, projectRows } from '../projects/project-rows.ts';
import { activity, activityFields } from './activity.ts';

export const userFields = graphql(`
  fragment UserFields on User {
    id username name bio location organization websiteUrl state createdAt avatarUrl
  }
`);

type User = ResultOf<typeof userFields>;

const Counts = graphql(`
  query BrowsedUserCounts($id: Int!) {
    user(by: { id: $id }) {
      personalProjects(perPage: 1) { total }
      starredProjects(perPage: 1) { total }
      groups(perPage: 1) { total }
    }
  }
`);

const PersonalProjects = graphql(
  `query BrowsedUser($id: Int!, $page: Int!, $perPage: Int!) {
    user(by: { id: $id }) {
      personalProjects(page: $page, perPage: $perPage, orderBy: lastActivityAt, sort: desc) {
        total nodes { ...ProjectRowFields }
      }
    }
  }`,
  [projectRowFields],
);

const StarredProjects = graphql(
  `query BrowsedUserStars($id: Int!, $page: Int!, $perPage: Int!) {
    user(by: { id: $id }) {
      starredProjects(page: $page, perPage: $perPage, orderBy: lastActivityAt, sort: desc) {
        total nodes { ...ProjectRowFields }
      }
    }
  }`,
  [projectRowFields],
);

const Groups = graphql(
  `query BrowsedUserGroups($id: Int!, $page: Int!, $perPage: Int!) {
    user(by: { id: $id }) {
      groups(page: $page, perPage: $perPage, orderBy: path) { total nodes { ...GroupRowFields } }
    }
  }`,
  [groupRowFields],
);

const Activity = graphql(
  `query BrowsedUserActivity($id: Int!, $page: Int!, $perPage: Int!) {
    user(by: { id: $id }) {
      events(page: $page, perPage: $perPage) { total nodes { ...ActivityFields } }
    }
  }`,
  [activityFields],
);

interface Part {
  readonly list: Html;
  readonly total: number;
}

interface Asked {
  readonly id: number;
  readonly page: number;
  readonly perPage: number;
}

const none: Part = { list: html`<p class="quiet">Sign in to see this list.</p>`, total: 0 };

/** The lists on the page of a user, by the parameter `tab`. */
const parts: Readonly<Record<string, (visit: Visit, asked: Asked) => Promise<Part>>> = {
  projects: async (visit, asked) => {
    const { total, nodes } = (await visit.ask(PersonalProjects, asked)).user.personalProjects;
    return { total, list: projectRows(visit, nodes, { none: 'There are no personal projects.' }) };
  },
  groups: async (visit, asked) => {
    const { groups } = (await visit.ask(Groups, asked)).user;
    return groups
      ? { total: groups.total, list: groupRows(visit, groups.nodes, { isFull: true }) }
      : none;
  },
  starred: async (visit, asked) => {
    const { total, nodes } = (await visit.ask(StarredProjects, asked)).user.starredProjects;
    const options = { isFull: true, none: 'There are no starred projects.' };
    return { total, list: projectRows(visit, nodes, options) };
  },
  activity: async (visit, asked) => {
    const { total, nodes } = (await visit.ask(Activity, asked)).user.events;
    return { total, list: activity(visit, nodes, 'There is no activity yet.') };
  },
};

/** A user with their visible projects, groups and activity. */
export async function showUser(visit: Visit, user: User): Promise<Answer> {
  const { username, name } = user;
  const id = Number(user.id);
  const page = pageOf(visit);
  const tab = Object.hasOwn(parts, visit.query.tab ?? '') ? (visit.query.tab ?? '') : 'projects';
  const [part, counts] = await Promise.all([
    parts[tab]?.(visit, { id, page, perPage }) ?? none,
    visit.ask(Counts, { id }),
  ]);
  const { personalProjects, starredProjects, groups } = counts.user;
  const address = visit.url(`/${encoded(username)}`);
  const tabs = [
    ['projects', 'Personal projects', personalProjects.total],
    ['groups', 'Groups', groups?.total],
    ['starred', 'Starred projects', starredProjects.total],
    ['activity', 'Activity', null],
  ] as const;
  const links = tabs
    .filter(([, , total]) => total !== undefined)
    .map(([word, label, total]) => ({
      word,
      label: total === null ? label : `${label} (${total})`,
      title: label,
    }));
  const chosen = links.find(({ word }) => word === tab);
  return {
    title: `${name} (${username})`,
    main: html`${profileOf(visit, user)}
${choices(
  'Parts of the profile',
  links.map(({ word, label }) => [label, word === 'projects' ? address : `${address}?tab=${word}`]),
  chosen?.label ?? '',
)}
<h2>${chosen?.title ?? 'Groups'}</h2>
${part.list}
${pager({ address, page, total: part.total, query: tab === 'projects' ? {} : { tab } })}`,
  };
}

function profileOf(visit: Visit, user: User): Html {
  const { username, name, bio, location, organization, websiteUrl, state, createdAt } = user;
  const isWeb = /^https?:\/\//i.test(websiteUrl);
  const isOwn = visit.viewer?.username === username;
  return html`<div class="profile">${avatar(user, 'large')}
<div><h1>${name} <span class="number">@${username}</span>${
    state !== 'active' && html` <span class="badge">blocked</span>`
  }</h1>
${bio && html`<p>${bio}</p>`}
<p class="user-facts">${organization && html`<span>${icon('organization')} ${organization}</span>`}
${location && html`<span>${icon('globe')} ${location}</span>`}
${websiteUrl && html`<span>${icon('link')} ${isWeb ? html`<a href="${websiteUrl}" rel="nofollow noopener noreferrer">${websiteUrl}</a>` : websiteUrl}</span>`}
<span>${icon('calendar')} Member since ${day(createdAt)}</span></p></div>
${
  isOwn &&
  html`<p class="row"><a class="button secondary" href="${visit.url('/snippets')}">${icon('file-code')}Your snippets</a>
<a class="button secondary" href="${visit.url('/profile')}">${icon('pencil')}Edit profile</a></p>`
}
</div>`;
}
