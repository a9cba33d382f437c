import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, visibilityMark } from '../kernel/parts.ts';
import { addressIn } from './address-in.ts';
import { projectTabs } from './project-tabs.ts';

/** The project's fields that each of its pages needs. */
export const projectHeadFields = graphql(`
  fragment ProjectHeadFields on Project {
    id name fullPath visibility description defaultBranch isArchived importStatus
    httpUrlToRepo sshUrlToRepo avatarUrl
    issuesEnabled mergeRequestsEnabled wikiEnabled snippetsEnabled jobsEnabled
    ciConfigPath starCount isStarred
    forkedFrom { fullPath fullName }
    access {
      canReadCode canSeePipelines canSeeSchedules canSeeEnvironments canPush canEdit canAdminister
    }
  }
`);

export type Project = ResultOf<typeof projectHeadFields>;

/** The head of every project page: breadcrumb, actions and tabs; `section` is the current tab. */
export const projectHead = (visit: Visit, project: Project, section: string): Html =>
  html`<div class="place">
<div class="place-name">${avatar(project)}${trail(visit, project.fullPath)}
${visibilityMark(project.visibility)}${project.isArchived && html`<span class="badge">archived</span>`}</div>
<div class="place-actions">${starOf(visit, project)}${
    visit.viewer &&
    project.access.canReadCode &&
    html`<a class="button secondary small" href="${addressIn(visit, project, 'forks', 'new')}">${icon('repo-forked')}Fork</a>`
  }</div>
</div>
${projectTabs(visit, project, section)}`;

function starOf(visit: Visit, project: Project): Html {
  const { isStarred, starCount } = project;
  const count = html`<span class="count" title="${starCount} ${starCount === 1 ? 'star' : 'stars'}">${starCount}</span>`;
  if (!visit.viewer) return html`<span class="quiet">${icon('star')}${count}</span>`;
  return html`${actionForm(visit, {
    address: addressIn(visit, project, isStarred ? 'unstar' : 'star'),
    label: isStarred ? 'Unstar' : 'Star',
    icon: isStarred ? 'star-fill' : 'star',
    look: 'small',
  })}${count}`;
}

/** A page of a project below its head. */
export const projectPage = (
  visit: Visit,
  project: Project,
  section: string,
  title: string,
  main: Html,
): ShownPage => ({
  title: `${title} · ${project.fullPath}`,
  main: html`${projectHead(visit, project, section)}
${main}`,
});

/** The breadcrumb of a full path. */
export function trail(visit: Visit, fullPath: string): Html {
  const parts = fullPath.split('/');
  const steps = parts.map((name, place) => {
    const address = visit.url(`/${encoded(parts.slice(0, place + 1).join('/'))}`);
    return html`<li><a href="${address}">${name}</a></li>`;
  });
  return html`<nav class="trail" aria-label="Breadcrumb"><ol>${steps}</ol></nav>`;
}
