import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { badges, entries, item } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { visibilityMark } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';

export const projectRowFields = graphql(`
  fragment ProjectRowFields on Project {
    name fullName fullPath description visibility isArchived avatarUrl tagList
    starCount forksCount lastActivityAt
  }
`);

type ProjectRow = ResultOf<typeof projectRowFields>;

interface Options {
  /** Whether the names of the namespaces stand before that of the project. */
  readonly isFull?: boolean;
  /** The text in place of an empty list. */
  readonly none?: string;
}

/** The topics of a project that a list shows. */
const mostTopics = 5;

/** A list of projects with their descriptions. */
export const projectRows = (
  visit: Visit,
  projects: readonly ProjectRow[],
  { isFull = false, none = 'There are no projects.' }: Options = {},
): Html =>
  entries(
    projects.map((project) =>
      item(
        avatar(project, 'medium'),
        html`<a class="name" href="${addressIn(visit, project)}">${isFull ? project.fullName : project.name}</a>
${visibilityMark(project.visibility)}${badges([project.isArchived && 'archived'])}
${project.description && html`<p>${shortened(project.description)}</p>`}
${
  project.tagList.length > 0 &&
  html`<p>${project.tagList.slice(0, mostTopics).map((topic) => html`<span class="badge">${topic}</span> `)}</p>`
}`,
        html`<span title="Stars">${icon('star')} ${project.starCount}</span>
<span title="Forks">${icon('repo-forked')} ${project.forksCount}</span>
<span>Updated ${when(project.lastActivityAt)}</span>`,
      ),
    ),
    none,
  );

const longest = 200;

/** The first line of a text, truncated. */
export function shortened(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length <= longest ? line : `${line.slice(0, longest).toWellFormed()}…`;
}
