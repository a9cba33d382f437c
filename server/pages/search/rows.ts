import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { addressIn, addressInGroup } from '../frame/address-in.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { visibilityMark } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { day, when } from '../kernel/times.ts';
import { excerpt, highlighted } from './highlight.ts';
import type { RowContext } from './scope.ts';

export const foundProject = graphql(`
  fragment FoundProject on Project { name fullName fullPath description visibility lastActivityAt }
`);

export const foundGroup = graphql(`
  fragment FoundGroup on Group { name fullPath description visibility }
`);

export const foundUser = graphql(`fragment FoundUser on User { username name avatarUrl }`);

export const foundIssue = graphql(
  `fragment FoundIssue on Issue {
    iid title description state createdAt author { ...PersonFields } project { fullPath }
  }`,
  [personFields],
);

export const foundMergeRequest = graphql(
  `fragment FoundMergeRequest on MergeRequest {
    iid title description state createdAt author { ...PersonFields } project: targetProject { fullPath }
  }`,
  [personFields],
);

export const foundMilestone = graphql(`
  fragment FoundMilestone on Milestone {
    iid title description state dueDate project { fullPath } group { fullPath }
  }
`);

export const foundSnippet = graphql(
  `fragment FoundSnippet on Snippet {
    id title fileName visibility createdAt author { ...PersonFields } project { fullPath }
  }`,
  [personFields],
);

/** The part of a description around the first hit. */
const about = (text: string | null | undefined, search: string): Html | false =>
  Boolean(text) && html`<span>${excerpt(text ?? '', search)}</span>`;

const named = (address: string, name: string, search: string): Html =>
  html`<a class="name" href="${address}">${highlighted(name, search)}</a>`;

export const projectRow = (
  { visit, search }: RowContext,
  project: ResultOf<typeof foundProject>,
): Html =>
  html`${named(addressIn(visit, project), project.fullName, search)} ${visibilityMark(project.visibility)}
${about(project.description, search)}
<span class="quiet">${project.fullPath} · active ${when(project.lastActivityAt)}</span>`;

export const groupRow = ({ visit, search }: RowContext, group: ResultOf<typeof foundGroup>): Html =>
  html`${named(visit.url(`/${encoded(group.fullPath)}`), group.name, search)} ${visibilityMark(group.visibility)}
${about(group.description, search)}
<span class="quiet">${group.fullPath}</span>`;

export const userRow = ({ visit, search }: RowContext, user: ResultOf<typeof foundUser>): Html =>
  html`${avatar(user)} ${named(visit.url(`/${encoded(user.username)}`), user.name, search)}
<span class="quiet">@${highlighted(user.username, search)}</span>`;

type Item = ResultOf<typeof foundIssue> | ResultOf<typeof foundMergeRequest>;

const itemRow =
  (word: string, sign: string) =>
  ({ visit, search }: RowContext, item: Item): Html => {
    const { iid, title, description, state, createdAt, author, project } = item;
    const address = project ? addressIn(visit, project, word, String(iid)) : '';
    return html`${named(address, title, search)} <span class="state ${state}">${state}</span>
${about(description, search)}
<span class="quiet">${project?.fullPath}${sign}${iid} · ${person(visit, author)} · ${when(createdAt)}</span>`;
  };

export const issueRow = itemRow('issues', '#');
export const mergeRequestRow = itemRow('merge_requests', '!');

export const milestoneRow = (
  { visit, search }: RowContext,
  milestone: ResultOf<typeof foundMilestone>,
): Html => {
  const { iid, title, description, state, dueDate, project, group } = milestone;
  const address = project
    ? addressIn(visit, project, 'milestones', String(iid))
    : group && addressInGroup(visit, group, 'milestones', String(iid));
  return html`${named(address ?? '', title, search)} <span class="state ${state}">${state}</span>
${about(description, search)}
<span class="quiet">${project?.fullPath ?? group?.fullPath}${dueDate && html` · due ${day(dueDate)}`}</span>`;
};

export const snippetRow = (
  { visit, search }: RowContext,
  snippet: ResultOf<typeof foundSnippet>,
): Html => {
  const { id, title, fileName, visibility, createdAt, author, project } = snippet;
  const address = project
    ? addressIn(visit, project, 'snippets', String(id))
    : visit.url(`/snippets/${id}`);
  return html`${named(address, title, search)} ${visibilityMark(visibility)}
<span class="quiet">${project && `${project.fullPath} · `}${highlighted(fileName, search)} · ${person(visit, author)} · ${when(createdAt)}</span>`;
};
