import { isUnfinished } from '../ci/ci.ts';
import type { Project } from '../frame/project-head.ts';
import { checkbox, formOf, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import type { MergeBox } from './fields.ts';
import { mergeRequestAddress } from './head.ts';

/** The message of the merge commit, as the core makes it. */
const messageOf = ({ sourceBranch, targetBranch, title, iid }: MergeBox, project: Project) =>
  `Merge branch '${sourceBranch}' into '${targetBranch}'\n\n${title}\n\n` +
  `See merge request ${project.fullPath}!${iid}`;

/** The form that merges an open merge request, with what was typed, or cancels its automatic merge. */
export function mergeForm(
  visit: Visit,
  project: Project,
  box: MergeBox,
  typed: Visit['form'],
): Html | null {
  const { iid, sha, canMerge, canUpdate, mergeBlockers, lastPipeline } = box;
  const at = (action: string) => mergeRequestAddress(visit, project, iid, action);
  if (box.mergeWhenPipelineSucceeds) {
    return html`<div class="row"><span>${icon('hourglass')} It will be merged when its pipeline succeeds.</span>${
      (canMerge || canUpdate) &&
      actionForm(visit, {
        address: at('cancel_merge_when_pipeline_succeeds'),
        label: 'Cancel automatic merge',
        look: 'small',
      })
    }</div>`;
  }
  if (!canMerge) {
    return mergeBlockers.length > 0
      ? null
      : html`<p class="quiet">${icon('check')} It can be merged by users who may push to or merge into ${box.targetBranch}.</p>`;
  }
  const canWait = lastPipeline !== null && isUnfinished(lastPipeline.status);
  // a pipeline that is required but has not finished does not keep users from waiting for it
  const others = mergeBlockers.filter((name) => name !== 'pipeline_not_succeeded');
  if (others.length > 0 || (mergeBlockers.length > 0 && !canWait)) return null;
  const { message = messageOf(box, project), remove_source_branch: remove } = typed;
  const removes = remove
    ? remove === '1'
    : (box.shouldRemoveSourceBranch ?? box.forceRemoveSourceBranch);
  return formOf(
    visit,
    { address: at('merge'), submit: canWait ? 'Merge when pipeline succeeds' : 'Merge' },
    html`<input type="hidden" name="sha" value="${sha}">
${canWait && html`<input type="hidden" name="when" value="pipeline">`}
${checkbox({ name: 'remove_source_branch', label: 'Delete the source branch', isChecked: removes })}
<details${typed.message !== undefined && html` open`}><summary>Commit message</summary>
${textArea({ name: 'message', label: 'Message of the merge commit', value: message, rows: 6, isCode: true })}</details>
${canWait && mergeBlockers.length === 0 && html`<p><button name="at_once" value="1" class="small">Merge at once</button></p>`}`,
  );
}
