import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressInGroup } from '../frame/address-in.ts';
import { type Group, groupPage } from '../frame/group-head.ts';
import type { GroupPage } from '../frame/sections.ts';
import { avatarField, avatarOf } from '../kernel/avatar-field.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, formOf, otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { notAllowed } from '../kernel/not-allowed.ts';
import type { Answer, ShownPage, Visit } from '../kernel/page.ts';
import { alert, savedNotice } from '../kernel/parts.ts';
import { visibilityIn } from '../projects/visibility.ts';
import { dangerousActions, dangerZone, type Failed } from './danger-zone.ts';
import { groupFieldNames, groupTextFields } from './group-fields.ts';

const Edited = graphql(`
  query EditedGroup($group: ID!) {
    group(id: $group) {
      id name path fullPath description visibility avatarUrl lfsEnabled requestAccessEnabled
      parentId
    }
  }
`);

type EditedGroup = ResultOf<typeof Edited>['group'];

const Save = graphql(`
  mutation SaveGroup(
    $group: ID!, $name: String, $path: String, $description: String, $visibility: Visibility
    $lfsEnabled: Boolean, $requestAccessEnabled: Boolean
  ) {
    updateGroup(
      group: $group, name: $name, path: $path, description: $description, visibility: $visibility
      lfsEnabled: $lfsEnabled, requestAccessEnabled: $requestAccessEnabled
    ) { id fullPath }
  }
`);

const SaveAvatar = graphql(`
  mutation SaveGroupAvatar($group: ID!, $avatar: Upload) {
    updateGroup(group: $group, avatar: $avatar) { fullPath }
  }
`);

/** The settings of a group. */
export const showEditGroup: GroupPage = (visit, group, rest) => {
  if (rest !== '') throw pathNotFound();
  return editPage(visit, group);
};

async function editPage(visit: Visit, group: Group, failed?: Failed): Promise<ShownPage> {
  if (!group.canAdminister) throw notAllowed(visit);
  const edited = (await visit.ask(Edited, { group: String(group.id) })).group;
  const faultIn = (form: string) => (failed?.form === form ? failed.fault : undefined);
  const main = html`<h1>Group settings</h1>
${savedNotice(visit)}
${settingsForm(visit, edited, faultIn(''))}
${await dangerZone(visit, edited, failed)}`;
  const page = groupPage(visit, group, 'edit', 'Settings', main);
  return { ...page, status: failed?.fault.status ?? 200 };
}

function settingsForm(visit: Visit, group: EditedGroup, fault?: Fault): Html {
  // the values of the other form stay out of this one
  const { form } = fault ? visit : { form: {} as Visit['form'] };
  const isOn = (name: 'lfsEnabled' | 'requestAccessEnabled') =>
    form[name] === undefined ? group[name] : form[name] === '1';
  const faults = fault?.fields ?? {};
  const controls = html`${groupTextFields({ ...visit, form }, group, fault)}
${avatarField(group, faultText(faults, 'avatar', 'Avatar'))}
${checkbox({
  name: 'lfsEnabled',
  label: 'Git LFS',
  hint: 'Projects may keep large files outside of their repositories.',
  isChecked: isOn('lfsEnabled'),
})}
${checkbox({
  name: 'requestAccessEnabled',
  label: 'Access requests',
  hint: 'Users who see the group may ask to be members.',
  isChecked: isOn('requestAccessEnabled'),
})}`;
  return html`${alert(fault ? (fault.text ?? otherFaults(faults, groupFieldNames)) : null)}
${formOf(
  visit,
  { address: addressInGroup(visit, group, 'edit'), submit: 'Save changes', isMultipart: true },
  controls,
)}`;
}

/** Saves the settings, or transfers or deletes the group. */
export const submitEditGroup: GroupPage = (visit, group, rest): Promise<Answer> => {
  const submit = rest === '' ? save : dangerousActions.get(rest);
  if (!submit) throw pathNotFound();
  return orFault(
    visit,
    async () => ({ redirect: await submit(visit, group) }),
    (fault) => editPage(visit, group, { form: rest, fault }),
  );
};

/** The settings that the form has; others stay as they are. */
function settingsIn({ name, path, description, visibility, ...form }: Visit['form']) {
  const { lfsEnabled, requestAccessEnabled } = form;
  return {
    ...(name !== undefined && { name }),
    ...(path !== undefined && { path }),
    ...(description !== undefined && { description }),
    ...visibilityIn(visibility),
    ...(lfsEnabled !== undefined && { lfsEnabled: lfsEnabled === '1' }),
    ...(requestAccessEnabled !== undefined && {
      requestAccessEnabled: requestAccessEnabled === '1',
    }),
  };
}

async function save(visit: Visit, group: Group): Promise<string> {
  const { updateGroup: saved } = await visit.ask(Save, {
    group: String(group.id),
    ...settingsIn(visit.form),
  });
  const avatar = avatarOf(visit);
  if (avatar !== undefined) await visit.ask(SaveAvatar, { group: String(saved.id), avatar });
  return `${addressInGroup(visit, saved, 'edit')}?saved=1`;
}
