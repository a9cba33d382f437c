import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { showDiscussionPart, submitToDiscussion } from '../discussions/parts.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { issuableList } from '../issuables/list.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { submitPart } from './issue-actions.ts';
import { placeOf, showIssue } from './show-issue.ts';
import { createIssue, editIssue, newIssue, updateIssue } from './write-issue.ts';

/** The issues of a project, `new`, or one of them by its number, with `edit` below it. */
export const showIssues: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return showList(visit, project);
  if (rest === 'new') {
    if (!visit.viewer) return { redirect: visit.url('/users/sign_in') };
    return newIssue(visit, project);
  }
  const [number, part] = splitFirst(rest);
  const iid = numberIn(number);
  if (part === '') return showIssue(visit, project, iid);
  if (part === 'edit') return editIssue(visit, project, iid);
  const shown = await showDiscussionPart(visit, placeOf(visit, project, iid), part);
  if (!shown) throw pathNotFound();
  return shown;
};

/** Handles the forms of issues. */
export const submitToIssues: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return createIssue(visit, project);
  const [number, part] = splitFirst(rest);
  const iid = numberIn(number);
  if (part === '') return updateIssue(visit, project, iid);
  const answer = await submitToDiscussion(visit, placeOf(visit, project, iid), part);
  return answer ?? submitPart(visit, project, iid, part);
};

async function showList(visit: Visit, project: Project): Promise<Answer> {
  const create =
    visit.viewer &&
    html`<a class="button small primary" href="${addressIn(visit, project, 'issues', 'new')}">${icon('plus')}New issue</a>`;
  const list = await issuableList(visit, {
    kind: 'issues',
    scope: { kind: 'project', owner: project },
    address: addressIn(visit, project, 'issues'),
    create,
  });
  return projectPage(visit, project, 'issues', 'Issues', html`<h1>Issues</h1>${list}`);
}
