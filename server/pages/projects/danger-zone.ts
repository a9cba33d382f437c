import { addressIn } from '../frame/address-in.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults, select } from '../kernel/forms.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, alert, confirmedForm } from '../kernel/parts.ts';
import type { EditedProject } from './edited-project.ts';

interface Failed {
  readonly form: string;
  readonly fault: Fault;
}

/** Housekeeping, archiving, the address, the fork relation, and deletion. */
export function dangerZone(visit: Visit, project: EditedProject, failed?: Failed): Html {
  const address = (word: string) => addressIn(visit, project, 'edit', word);
  const { isArchived, forkedFrom, access } = project;
  const faultIn = (form: string) => (failed?.form === form ? failed.fault : undefined);
  const housekeeping = actionForm(visit, {
    address: address('housekeeping'),
    label: 'Run housekeeping',
    icon: 'sync',
    look: 'small',
  });
  const archive = isArchived
    ? actionForm(visit, { address: address('unarchive'), label: 'Unarchive', look: 'small' })
    : confirmedForm(
        visit,
        { address: address('archive'), label: 'Archive project' },
        'An archived project accepts no pushes. You can unarchive it at any time.',
      );
  return html`${setting('Housekeeping', 'Packs the repository, so that it is smaller and faster. At most once an hour.', html`${alert(textOf(faultIn('housekeeping')))}${housekeeping}`)}
${
  access.canAdminister &&
  html`${setting(isArchived ? 'Unarchive' : 'Archive', isArchived ? 'The project is archived: it is read-only.' : 'Makes the project read-only.', archive)}
${setting('Rename', 'Changes the address of the project. The old one redirects to the new one.', renameForm(visit, project, faultIn('rename')))}`
}
${
  access.canAdminister &&
  html`${setting(
    'Transfer',
    'Moves the project into another namespace. The members of a group get access to it.',
    transferForm(visit, project, faultIn('transfer')),
  )}
${
  forkedFrom &&
  setting(
    'Fork relation',
    html`This project is a fork of <a href="${addressIn(visit, forkedFrom)}">${forkedFrom.fullName}</a>.`,
    confirmedForm(
      visit,
      { address: address('unlink'), label: 'Remove fork relation' },
      'Merge requests to the original project are closed. The relation cannot be restored.',
    ),
  )
}
${setting('Delete', 'Deletes the repository, the issues, the merge requests and everything else.', deleteForm(visit, project, faultIn('delete')))}`
}`;
}

const textOf = (fault: Fault | undefined): string | null =>
  fault ? (fault.text ?? otherFaults(fault.fields, [])) : null;

const setting = (title: string, text: Shown, action: Html): Html =>
  html`<div class="setting"><div><h3>${title}</h3><p class="quiet">${text}</p></div><div>${action}</div></div>`;

function renameForm(visit: Visit, project: EditedProject, fault?: Fault): Html {
  const faults = fault?.fields ?? {};
  return html`${alert(fault ? (fault.text ?? otherFaults(faults, ['path'])) : null)}
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'edit', 'rename'),
    submit: 'Change path',
    look: 'danger',
  },
  field({
    name: 'path',
    label: 'Path',
    value: (fault && visit.form.path) ?? project.path,
    isRequired: true,
    fault: faultText(faults, 'path', 'Path'),
  }),
)}`;
}

function transferForm(visit: Visit, project: EditedProject, fault?: Fault): Html {
  const faults = fault?.fields ?? {};
  const { options } = project.namespaces;
  return html`${alert(fault ? (fault.text ?? otherFaults(faults, ['namespace'])) : null)}
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'edit', 'transfer'),
    submit: 'Transfer project',
    look: 'danger',
  },
  select({
    name: 'namespace_id',
    label: 'Namespace',
    value: (fault && visit.form.namespace_id) ?? project.namespaces.chosen,
    options,
    fault: faultText(faults, 'namespace', 'Namespace'),
  }),
)}`;
}

function deleteForm(visit: Visit, project: EditedProject, fault?: Fault): Html {
  const faults = fault?.fields ?? {};
  return html`<details class="confirm"${fault && html` open`}><summary>Delete project</summary>
<div>${alert(fault?.text ?? null)}
<p>The project is deleted with its repository, and cannot be restored.</p>
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'edit', 'delete'),
    submit: 'Delete project',
    look: 'danger',
  },
  field({
    name: 'confirmation',
    label: `Enter ${project.fullPath} to confirm`,
    value: fault ? (visit.form.confirmation ?? '') : '',
    isRequired: true,
    autocomplete: 'off',
    fault: faultText(faults, 'confirmation', 'Confirmation'),
  }),
)}</div></details>`;
}
