import { graphql } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { avatar } from '../kernel/avatar.ts';
import { select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, item } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import type { MemberPlace } from './place.ts';

const Requests = graphql(`
  query AccessRequestsOfPlace($source: GroupOrProject!) {
    accessRequests(source: $source, perPage: 50) {
      total nodes { createdAt user { id username name avatarUrl } }
    }
  }
`);

const Request = graphql(`
  mutation RequestAccessByForm($source: GroupOrProject!) {
    requestAccess(source: $source) { createdAt }
  }
`);

const Approve = graphql(`
  mutation ApproveByForm($source: GroupOrProject!, $userId: Int!, $accessLevel: Int!) {
    approveAccessRequest(source: $source, userId: $userId, accessLevel: $accessLevel) { accessLevel }
  }
`);

const Deny = graphql(`
  mutation DenyByForm($source: GroupOrProject!, $userId: Int!) {
    denyAccessRequest(source: $source, userId: $userId)
  }
`);

/** The pending requests with their answers; nothing without any. */
export async function accessRequests(visit: Visit, place: MemberPlace): Promise<Html | null> {
  const { total, nodes } = (await visit.ask(Requests, { source: place.source })).accessRequests;
  if (total === 0) return null;
  const rows = nodes.map(({ user, createdAt }) =>
    item(
      avatar(user, 'medium'),
      html`<a class="name" href="${visit.url(`/${encoded(user.username)}`)}">${user.name}</a>
<span class="number">@${user.username}</span><p class="quiet">Requested ${when(createdAt)}</p>`,
      html`${actionForm(visit, {
        address: `${place.address}/${user.id}/approve`,
        label: 'Approve',
        about: user.name,
        look: 'small',
        fields: select({
          name: 'access_level',
          id: `approve-${user.id}`,
          label: 'Access level',
          value: '30',
          options: place.levels,
        }),
      })}
${actionForm(visit, {
  address: `${place.address}/${user.id}/deny`,
  label: 'Deny',
  about: user.name,
  look: 'small danger',
})}`,
    ),
  );
  return html`<section aria-labelledby="requests">
<h2 id="requests">Access requests <span class="count">${total}</span></h2>
${entries(rows, '')}</section>`;
}

export const requestAccess = (visit: Visit, { source }: MemberPlace) =>
  visit.ask(Request, { source });

export const withdrawRequest = (visit: Visit, { source }: MemberPlace) =>
  visit.ask(Deny, { source, userId: visit.viewer?.id ?? 0 });

export const approveRequest = (visit: Visit, { source }: MemberPlace, userId: number) =>
  visit.ask(Approve, { source, userId, accessLevel: Number(visit.form.access_level) || 0 });

export const denyRequest = (visit: Visit, { source }: MemberPlace, userId: number) =>
  visit.ask(Deny, { source, userId });
