import { span } from '../ci/ci.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { editorsOf, type FailedPart, labelsAndMilestone, none, part } from '../issuables/beside.ts';
import { assigneeSelect } from '../issuables/choice-fields.ts';
import { choicesIn } from '../issuables/choices.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm } from '../kernel/parts.ts';
import { face, person } from '../kernel/people.ts';
import type { MergeRequestSidebar } from './fields.ts';
import { mergeRequestAddress } from './head.ts';

/** The column beside the description: assignee, milestone, labels, and the user's own settings. */
export async function sidebar(
  visit: Visit,
  project: Project,
  shown: MergeRequestSidebar,
  failed: FailedPart | null,
): Promise<Html> {
  const { iid, assignee, participants, timeEstimate, totalTimeSpent } = shown;
  const list = addressIn(visit, project, 'merge_requests');
  const at = (action: string) => mergeRequestAddress(visit, project, iid, action);
  const edit = editorsOf(visit, {
    ...shown,
    address: mergeRequestAddress(visit, project, iid),
    choices: shown.canAdminister ? await choicesIn(visit, project) : null,
    failed,
    assignees: assignee ? [assignee] : [],
  });
  return html`<aside aria-label="Details">
${part(
  'Assignee',
  assignee ? person(visit, assignee) : none,
  edit('assignee', (form) => assigneeSelect(visit, form)),
)}
${labelsAndMilestone(shown, list, edit)}
${(timeEstimate > 0 || totalTimeSpent > 0) && part('Time', html`${span(totalTimeSpent)} spent${timeEstimate > 0 && ` of ${span(timeEstimate)}`}`)}
${part('Participants', html`<p class="row">${participants.nodes.map((user) => face(visit, user))}</p>`)}
${
  visit.viewer &&
  part(
    'Notifications',
    html`<div class="row">${actionForm(visit, {
      address: at(shown.isSubscribed ? 'unsubscribe' : 'subscribe'),
      label: shown.isSubscribed ? 'Unsubscribe' : 'Subscribe',
      icon: 'bell',
      look: 'small',
    })}${actionForm(visit, { address: at('todo'), label: 'Add to-do', icon: 'tasklist', look: 'small' })}</div>`,
  )
}
${shown.canDelete && part('Delete', confirmedForm(visit, { address: at('delete'), label: 'Delete merge request' }, 'The merge request is deleted with its discussion. The branches stay.'))}
</aside>`;
}
