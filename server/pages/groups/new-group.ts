import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden } from '../../../schema/kernel/errors.ts';
import { addressInGroup } from '../frame/address-in.ts';
import { numberOf } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { formOf, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { visibilityIn } from '../projects/visibility.ts';
import { groupFieldNames, groupTextFields } from './group-fields.ts';

const Parent = graphql(`
  query ParentOfNewGroup($group: ID!) {
    group(id: $group) { id name fullPath visibility canAdminister }
  }
`);

const CanCreate = graphql(`
  query CanCreateGroup { canCreateGroups }
`);

const Create = graphql(`
  mutation CreateGroupByForm(
    $name: String!, $path: String!, $description: String, $visibility: Visibility, $parentId: Int
  ) {
    createGroup(
      name: $name, path: $path, description: $description, visibility: $visibility
      parentId: $parentId
    ) { fullPath }
  }
`);

const address = '/groups/new';

/** The parent that the address or form names; null for a top-level group. */
async function parentOf(visit: Visit) {
  const id = numberOf(visit.form.parent_id ?? visit.query.parent_id);
  if (id !== null) {
    const { group } = await visit.ask(Parent, { group: String(id) });
    if (!group.canAdminister) throw forbidden();
    return group;
  }
  if (!(await visit.ask(CanCreate, {})).canCreateGroups) throw forbidden();
  return null;
}

async function newGroup(visit: Visit, fault?: Fault): Promise<ShownPage> {
  const { url, settings } = visit;
  const parent = await parentOf(visit);
  const blank = {
    name: '',
    path: '',
    description: '',
    visibility: parent?.visibility ?? settings.defaultGroupVisibility,
  };
  const title = parent ? `New subgroup of ${parent.name}` : 'New group';
  const cancel = parent ? addressInGroup(visit, parent) : url('/groups');
  return {
    title,
    status: fault?.status ?? 200,
    main: html`<h1>${title}</h1>
<p>The members of a group have access to all its projects and subgroups.${
      parent &&
      html` The members of <a href="${cancel}">${parent.fullPath}</a> are members of it, too.`
    }</p>
${alert(fault ? (fault.text ?? otherFaults(fault.fields, groupFieldNames)) : null)}
${formOf(
  visit,
  { address: url(address), submit: 'Create group', cancel },
  html`${parent && html`<input type="hidden" name="parent_id" value="${parent.id}">`}
${groupTextFields(visit, blank, fault)}`,
)}`,
  };
}

const create = (visit: Visit): Promise<Answer> => {
  const { name = '', path = '', description = '', visibility, parent_id } = visit.form;
  return orFault(
    visit,
    async () => {
      const { createGroup: group } = await visit.ask(Create, {
        name,
        path,
        description,
        ...visibilityIn(visibility),
        parentId: numberOf(parent_id),
      });
      return { redirect: addressInGroup(visit, group) };
    },
    (fault) => newGroup(visit, fault),
  );
};

export const newGroupPages: readonly Page[] = [
  { method: 'get', path: address, access: 'signed in', answer: (visit) => newGroup(visit) },
  { method: 'post', path: address, access: 'signed in', answer: create },
];
