import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { stateMark } from '../issuables/row.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { person } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import type { MergeRequestHead } from './fields.ts';

/** An address of a merge request: `at(visit, project, iid, 'diffs')`. */
export const mergeRequestAddress = (
  visit: Visit,
  project: Pick<Project, 'fullPath'>,
  iid: number,
  ...below: readonly string[]
): string => addressIn(visit, project, 'merge_requests', String(iid), ...below);

/** The parts of a merge request by the last segment of their addresses. */
const tabs = [
  ['', 'Discussion', 'comment-discussion'],
  ['commits', 'Commits', 'git-commit'],
  ['pipelines', 'Pipelines', 'workflow'],
  ['diffs', 'Changes', 'diff'],
] as const;

type Part = (typeof tabs)[number][0];

/** A page of a merge request: title, state, branches and tabs above `content`. */
export function mergeRequestPage(
  visit: Visit,
  project: Project,
  mergeRequest: MergeRequestHead,
  part: Part,
  content: Html,
): ShownPage {
  const { iid, title, state, author, createdAt, canUpdate } = mergeRequest;
  const at = (...below: readonly string[]) => mergeRequestAddress(visit, project, iid, ...below);
  const shown = project.access.canSeePipelines ? tabs : tabs.filter(([at]) => at !== 'pipelines');
  const main = html`<div class="bar"><h1>${title} <span class="number">!${iid}</span></h1>
${canUpdate && html`<div class="row"><a class="button secondary small" href="${at('edit')}">${icon('pencil')}Edit</a>${draftForm(visit, project, mergeRequest)}</div>`}</div>
<p class="row">${stateMark('merge_requests', state)} <span>${person(visit, author)} wants to merge ${branches(visit, project, mergeRequest)}</span>
<span class="quiet">opened ${when(createdAt)}</span></p>
<nav class="tabs" aria-label="Merge request"><ul>${shown.map(
    ([word, name, symbol]) =>
      html`<li><a href="${at(word)}"${word === part && html` aria-current="page"`}>${icon(symbol)}${name}</a></li>`,
  )}</ul></nav>
${content}`;
  return projectPage(visit, project, 'merge_requests', `${title} (!${iid})`, main);
}

/** `source → target`, each a link to its files. */
function branches(
  visit: Visit,
  project: Project,
  { sourceBranch, targetBranch, sourceProject }: MergeRequestHead,
): Html {
  const isFork = sourceProject && sourceProject.fullPath !== project.fullPath;
  const name = isFork ? `${sourceProject.fullPath}:${sourceBranch}` : sourceBranch;
  return html`${
    sourceProject
      ? html`<a href="${addressIn(visit, sourceProject, 'tree', sourceBranch)}"><code>${name}</code></a>`
      : html`<code>${sourceBranch}</code> of a deleted fork`
  } → <a href="${addressIn(visit, project, 'tree', targetBranch)}"><code>${targetBranch}</code></a>`;
}

function draftForm(
  visit: Visit,
  project: Project,
  { iid, state, isWorkInProgress }: MergeRequestHead,
): Html | null {
  if (state !== 'opened') return null;
  return actionForm(visit, {
    address: mergeRequestAddress(visit, project, iid, isWorkInProgress ? 'ready' : 'draft'),
    label: isWorkInProgress ? 'Mark as ready' : 'Mark as draft',
    look: 'small',
  });
}
