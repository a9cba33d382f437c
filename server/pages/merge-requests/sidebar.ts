import { span } from '../ci/ci.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm } from '../kernel/parts.ts';
import { face, person } from '../kernel/people.ts';
import { labelledIn, labelMark } from '../labels/label-mark.ts';
import type { MergeRequestSidebar } from './fields.ts';
import { mergeRequestAddress } from './head.ts';

const part = (title: string, content: Shown): Html =>
  html`<section><h2>${title}</h2>${content}</section>`;

const none = html`<span class="quiet">None</span>`;

/** The column beside the description: assignee, milestone, labels, and the user's own settings. */
export function sidebar(visit: Visit, project: Project, shown: MergeRequestSidebar): Html {
  const { iid, labels, milestone, assignee, participants, timeEstimate, totalTimeSpent } = shown;
  const list = addressIn(visit, project, 'merge_requests');
  const at = (action: string) => mergeRequestAddress(visit, project, iid, action);
  return html`<aside aria-label="Details">
${part('Assignee', assignee ? person(visit, assignee) : none)}
${part('Milestone', milestone ? html`<a href="${`${list}?${new URLSearchParams({ milestone_title: milestone.title })}`}">${icon('milestone')} ${milestone.title}</a>` : none)}
${part('Labels', labels.length > 0 ? labels.map((label) => html`${labelMark(label, labelledIn(list, label.name))} `) : none)}
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
