import { pipelineLink } from '../ci/ci.ts';
import { commitForms } from '../commits/commit-actions.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, alert } from '../kernel/parts.ts';
import { person } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import type { MergeBox } from './fields.ts';
import { mergeRequestAddress } from './head.ts';
import { mergeForm } from './merge-form.ts';

/** Why a merge request cannot be merged, in words. */
const reasons: Readonly<Record<MergeBox['mergeBlockers'][number], string>> = {
  draft: 'It is a draft: mark it as ready first.',
  no_source_branch: 'The source branch does not exist any more.',
  no_target_branch: 'The target branch does not exist any more.',
  nothing_to_merge: 'The target branch already has all its commits.',
  conflicts: 'There are conflicts: rebase it, or merge the target branch into the source branch.',
  unresolved_discussions: 'All discussions must be resolved first.',
  pipeline_not_succeeded: 'The pipeline of its last commit must succeed first.',
};

/**
 * State, approvals, pipeline and conflicts of a merge request, and the form that merges it; `typed`
 * is that form if it was refused.
 */
export async function mergeBox(
  visit: Visit,
  project: Project,
  box: MergeBox,
  typed: Visit['form'],
): Promise<Html> {
  const { lastPipeline, closesIssues, state } = box;
  const issues = closesIssues?.nodes ?? [];
  return html`<section class="card merge-box" aria-labelledby="merging"><h2 id="merging">Merging</h2>
${lastPipeline && html`<p>${icon('workflow')} Pipeline ${pipelineLink(visit, lastPipeline)}</p>`}
${approvals(visit, project, box)}
${issues.length > 0 && html`<p>${icon('issue-closed')} ${state === 'merged' ? 'Closed' : 'Closes'} ${issues.map((issue, place) => html`${place > 0 && ', '}<a href="${addressIn(visit, project, 'issues', String(issue.iid))}">#${issue.iid} ${issue.title}</a>`)}</p>`}
${state === 'merged' ? await merged(visit, project, box) : state === 'closed' ? closed(visit, box) : opened(visit, project, box, typed)}
${stateForms(visit, project, box)}</section>`;
}

function approvals(visit: Visit, project: Project, box: MergeBox): Html | null {
  const { iid, sha, canApprove, isApprovedByMe } = box;
  const names = box.approvals.map(
    ({ user }, place) => html`${place > 0 && ', '}${person(visit, user)}`,
  );
  const at = (action: string) => mergeRequestAddress(visit, project, iid, action);
  const form =
    box.state !== 'opened'
      ? null
      : isApprovedByMe
        ? actionForm(visit, { address: at('unapprove'), label: 'Revoke approval', look: 'small' })
        : canApprove &&
          actionForm(visit, {
            address: at('approve'),
            label: 'Approve',
            icon: 'check',
            look: 'small',
            fields: html`<input type="hidden" name="sha" value="${sha}">`,
          });
  return html`<div class="row"><span>${icon('check-circle')} ${names.length > 0 ? html`Approved by ${names}` : 'No approvals yet'}</span>${form}</div>`;
}

async function merged(visit: Visit, project: Project, box: MergeBox): Promise<Html> {
  const { mergedBy, mergedAt, mergeCommitSha, targetBranch } = box;
  const commit = mergeCommitSha && addressIn(visit, project, 'commit', mergeCommitSha);
  return html`<p>${icon('git-merge')} Merged by ${person(visit, mergedBy)} ${mergedAt && when(mergedAt)}${commit && html` as <a href="${commit}"><code>${mergeCommitSha.slice(0, 8)}</code></a>`}.</p>
${mergeCommitSha && html`<div class="row">${await commitForms(visit, project, mergeCommitSha, targetBranch)}</div>`}`;
}

const closed = (visit: Visit, { closedBy, closedAt }: MergeBox): Html =>
  html`<p>${icon('git-pull-request-closed')} Closed by ${person(visit, closedBy)} ${closedAt && when(closedAt)}. Its changes were not merged.</p>`;

function opened(visit: Visit, project: Project, box: MergeBox, typed: Visit['form']): Html {
  const { iid, mergeBlockers, conflicts, mergeError, isRebaseInProgress, mergeStatus } = box;
  if (isRebaseInProgress) {
    return html`<p role="status">${icon('sync')} The source branch is being rebased. Reload the page in a moment.</p>`;
  }
  return html`${alert(mergeError && `The last rebase failed: ${mergeError}`)}
${mergeBlockers.length > 0 && html`<div class="warning"><p>${icon('alert')} It cannot be merged now:</p><ul>${mergeBlockers.map((name) => html`<li>${reasons[name]}</li>`)}</ul></div>`}
${conflicts && conflicts.paths.length > 0 && html`<details open><summary>Files with conflicts</summary><ul>${conflicts.paths.map((path) => html`<li><code>${path}</code></li>`)}</ul>${conflicts.isCut && html`<p class="quiet">There may be more.</p>`}</details>`}
${mergeBlockers.length === 0 && mergeStatus === 'unchecked' && html`<p class="quiet">The check for conflicts takes long. Reload the page in a moment.</p>`}
${mergeForm(visit, project, box, typed)}
${box.canRebase && html`<div class="row">${actionForm(visit, { address: mergeRequestAddress(visit, project, iid, 'rebase'), label: 'Rebase', icon: 'sync', look: 'small' })}<span class="hint">Moves the commits of the source branch onto the target branch.</span></div>`}`;
}

function stateForms(visit: Visit, project: Project, box: MergeBox): Html | null {
  const { iid, state, canUpdate } = box;
  if (!canUpdate || (state !== 'opened' && state !== 'closed')) return null;
  const action = state === 'opened' ? 'close' : 'reopen';
  return html`<div class="row">${actionForm(visit, {
    address: mergeRequestAddress(visit, project, iid, action),
    label: state === 'opened' ? 'Close merge request' : 'Reopen merge request',
    look: state === 'opened' ? 'small danger' : 'small',
  })}</div>`;
}
