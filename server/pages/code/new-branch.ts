import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { field, formOf, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { requireWriteAccess } from './write-access.ts';

interface Entered {
  readonly name: string;
  readonly ref: string;
  readonly fault: Fault | null;
}

/** The form for a new branch. */
export async function newBranchPage(
  visit: Visit,
  project: Project,
  { name, ref, fault }: Entered,
): Promise<Answer> {
  await requireWriteAccess(visit, project);
  const faults = fault?.fields ?? {};
  const main = html`<h1>New branch</h1>
${alert(fault?.text ?? otherFaults(faults, []))}
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'branches'),
    submit: 'Create branch',
    cancel: addressIn(visit, project, 'branches'),
  },
  html`${field({ name: 'branch_name', label: 'Branch name', value: name, isRequired: true })}
${field({
  name: 'ref',
  label: 'Create from',
  value: ref || (project.defaultBranch ?? ''),
  isRequired: true,
  hint: 'A branch, a tag or the id of a commit.',
})}`,
)}`;
  const shown = projectPage(visit, project, 'branches', 'New branch', main);
  return fault ? { ...shown, status: fault.status } : shown;
}
