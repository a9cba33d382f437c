import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';

export const groupAccessFields = graphql(`
  fragment GroupAccessFields on Group {
    canRequestAccess accessRequestedAt member(userId: $viewer) { canBeRemoved }
  }
`);

export const projectAccessFields = graphql(`
  fragment ProjectAccessFields on Project {
    canRequestAccess accessRequestedAt member(userId: $viewer) { canBeRemoved }
  }
`);

type OwnAccess = ResultOf<typeof groupAccessFields>;

/**
 * Buttons to request access to a group or project, to withdraw the request, and to leave; `members`
 * is the address of its members page. Nothing if the user may do neither.
 */
export function accessActions(visit: Visit, own: OwnAccess, members: string): Html | null {
  if (own.accessRequestedAt !== null) {
    return html`<div class="row"><span class="quiet">You requested access ${when(own.accessRequestedAt)}.</span>
${actionForm(visit, { address: `${members}/withdraw_request`, label: 'Withdraw request', look: 'small' })}</div>`;
  }
  if (own.canRequestAccess) {
    return actionForm(visit, {
      address: `${members}/request_access`,
      label: 'Request access',
      icon: 'people',
      look: 'small',
    });
  }
  return own.member?.canBeRemoved
    ? html`<details class="confirm"><summary class="small">Leave</summary>
<div><p>You lose the access that this membership gives you.</p>
${actionForm(visit, { address: `${members}/leave`, label: 'Leave', look: 'danger' })}</div></details>`
    : null;
}
