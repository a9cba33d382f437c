import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { addressIn, addressInGroup } from '../frame/address-in.ts';
import { avatar } from '../kernel/avatar.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, item } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, alert } from '../kernel/parts.ts';
import { day } from '../kernel/times.ts';
import type { Failed } from './failed.ts';
import { levelName, type MemberPlace } from './place.ts';

export const memberFields = graphql(`
  fragment ListedMemberFields on Member {
    accessLevel expiresAt canBeRemoved
    group { id fullName fullPath }
    project { id fullName fullPath }
    user { id username name avatarUrl state }
  }
`);

type Member = ResultOf<typeof memberFields>;

/** The members with their levels; users who manage them change and remove the direct ones. */
export const memberList = (
  visit: Visit,
  place: MemberPlace,
  members: readonly Member[],
  failed?: Failed,
): Html =>
  entries(
    members.map((member) => row(visit, place, member, failed)),
    'No members match your search.',
  );

function row(visit: Visit, place: MemberPlace, member: Member, failed?: Failed): Html {
  const { user, accessLevel, expiresAt, group, project } = member;
  const isDirect =
    (group ?? project)?.id === place.id && (group ? 'group' : 'project') === place.kind;
  const isViewer = visit.viewer?.id === Number(user.id);
  const source =
    !isDirect &&
    html` · inherited from ${
      group
        ? html`<a href="${addressInGroup(visit, group, 'group_members')}">${group.fullName}</a>`
        : project && html`<a href="${addressIn(visit, project)}">${project.fullName}</a>`
    }`;
  return item(
    avatar(user, 'medium'),
    html`<a class="name" href="${visit.url(`/${encoded(user.username)}`)}">${user.name}</a>
<span class="number">@${user.username}</span>${isViewer && html` <span class="badge">you</span>`}${
      user.state !== 'active' && html` <span class="badge">blocked</span>`
    }
<p class="quiet">${levelName(accessLevel)}${source}${expiresAt !== null && html` · expires ${day(expiresAt)}`}</p>`,
    isDirect && place.canManage && change(visit, place, member, failed),
  );
}

function change(visit: Visit, place: MemberPlace, member: Member, failed?: Failed): Html {
  const { user, accessLevel, expiresAt } = member;
  const id = String(user.id);
  const fault = failed?.form === `${id}/update` ? failed.fault : undefined;
  const form = fault ? visit.form : {};
  const controls = html`${select({
    name: 'access_level',
    id: `level-${id}`,
    label: 'Access level',
    value: form.access_level ?? String(accessLevel),
    options: place.levels,
    fault: faultText(fault?.fields ?? {}, 'accessLevel', 'Access level'),
  })}
${field({
  name: 'expires_at',
  id: `expires-${id}`,
  label: 'Expires',
  type: 'date',
  value: form.expires_at ?? expiresAt ?? '',
  hint: 'Without a date, the membership does not expire.',
  fault: faultText(fault?.fields ?? {}, 'expiresAt', 'Expiry date'),
})}`;
  return html`<details class="menu"${fault && html` open`}><summary aria-label="Change ${user.name}">Change</summary>
<div class="menu-content padded">${alert(fault?.text ?? null)}
${formOf(visit, { address: `${place.address}/${id}/update`, submit: 'Save', className: 'narrow' }, controls)}
${
  member.canBeRemoved &&
  actionForm(visit, {
    address: `${place.address}/${id}/remove`,
    label: 'Remove',
    about: user.name,
    look: 'danger',
  })
}</div></details>`;
}
