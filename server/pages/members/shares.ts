import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn, addressInGroup } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { foundBy } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, alert } from '../kernel/parts.ts';
import { day } from '../kernel/times.ts';
import { dayIn } from './add-member.ts';
import type { Failed } from './failed.ts';
import { inProject, levelName } from './place.ts';

const Shares = graphql(`
  query SharesOfProject($project: ID!) {
    project(id: $project) {
      sharedWithGroups { accessLevel expiresAt groupId group { fullName fullPath } }
    }
  }
`);

const FindGroup = graphql(`
  query GroupToShareWith($group: ID!) { group(id: $group) { id } }
`);

const Share = graphql(`
  mutation ShareByForm($project: ID!, $groupId: Int!, $accessLevel: Int!, $expiresAt: Date) {
    shareProject(project: $project, groupId: $groupId, accessLevel: $accessLevel, expiresAt: $expiresAt) {
      projectId
    }
  }
`);

const Unshare = graphql(`
  mutation UnshareByForm($project: ID!, $groupId: Int!) {
    unshareProject(project: $project, groupId: $groupId)
  }
`);

/** The groups that a project is shared with, and the form that shares it with another. */
export async function shares(
  visit: Visit,
  project: Project,
  failed: Failed | undefined,
): Promise<Html | null> {
  const { canEdit } = project.access;
  const variables = { project: String(project.id) };
  const { sharedWithGroups } = (await visit.ask(Shares, variables)).project;
  if (sharedWithGroups.length === 0 && !canEdit) return null;
  const rows = sharedWithGroups.map(({ group, groupId, accessLevel, expiresAt }) => {
    const name = group?.fullName ?? 'A group that you cannot see';
    return html`<div class="bar"><div>${group ? html`<a class="name" href="${addressInGroup(visit, group)}">${name}</a>` : name}
<span class="quiet">up to ${levelName(accessLevel)}${expiresAt !== null && html` · expires ${day(expiresAt)}`}</span></div>
${
  canEdit &&
  actionForm(visit, {
    address: addressIn(visit, project, 'group_links', String(groupId), 'remove'),
    label: 'Remove',
    about: name,
    look: 'small danger',
  })
}</div>`;
  });
  return html`<section aria-labelledby="shares"><h2 id="shares">Groups with access</h2>
${entries(rows, 'The project is shared with no group.')}
${canEdit && shareForm(visit, project, failed)}</section>`;
}

function shareForm(visit: Visit, project: Project, failed?: Failed): Html {
  const mine = failed?.form === 'group_links' ? failed : undefined;
  const faults = mine?.fault.fields ?? {};
  const form = mine ? visit.form : {};
  const controls = html`<div class="filters">${field({
    name: 'group',
    id: 'share-group',
    label: 'Full path of a group',
    value: form.group ?? '',
    isRequired: true,
    autocomplete: 'off',
    fault: faultText(faults, 'group', 'Group'),
  })}
${select({
  name: 'access_level',
  id: 'share-level',
  label: 'Highest access level',
  value: form.access_level ?? '30',
  options: inProject(visit, project).levels,
  fault: faultText(faults, 'accessLevel', 'Access level'),
})}
${field({
  name: 'expires_at',
  id: 'share-expires',
  label: 'Expires (optional)',
  type: 'date',
  value: form.expires_at ?? '',
  fault: faultText(faults, 'expiresAt', 'Expiry date'),
})}</div>`;
  const shown = ['group', 'accessLevel', 'expiresAt'];
  return html`<h3>Share with a group</h3>
${alert(mine ? (mine.fault.text ?? otherFaults(faults, shown)) : null)}
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'group_links'),
    submit: 'Share project',
    className: 'whole-form',
  },
  controls,
)}`;
}

/** Shares a project with a group, or removes a share: `<group>/remove`. */
export async function changeShares(visit: Visit, project: Project, rest: string): Promise<void> {
  const ref = String(project.id);
  if (rest !== '') {
    const [id, word] = splitFirst(rest);
    if (word !== 'remove') throw pathNotFound();
    await visit.ask(Unshare, { project: ref, groupId: numberIn(id) });
    return;
  }
  const path = visit.form.group?.trim() ?? '';
  const { group } = await foundBy('group', () => visit.ask(FindGroup, { group: path }));
  await visit.ask(Share, {
    project: ref,
    groupId: Number(group.id),
    accessLevel: Number(visit.form.access_level) || 0,
    expiresAt: dayIn(visit.form.expires_at),
  });
}
