import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden } from '../../../schema/kernel/errors.ts';
import { refField, refNames, suggestions } from '../code/ref-field.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { choicesIn, storedChoices } from '../issuables/choices.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { formOf } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { formFields, submittedInput, submittedValues } from './form.ts';
import { mergeRequestAddress } from './head.ts';

const editedDocument = graphql(`
  query EditedMergeRequest($project: ID!, $iid: Int!) {
    mergeRequest(project: $project, iid: $iid) {
      title description targetBranch labels { name } forceRemoveSourceBranch state
      canUpdate canAdminister assignee { id name username } milestone { id title }
    }
  }
`);

const update = graphql(`
  mutation EditMergeRequest($project: ID!, $iid: Int!, $change: MergeRequestChange!) {
    updateMergeRequest(project: $project, iid: $iid, change: $change) { iid }
  }
`);

const editedOf = async (visit: Visit, project: Project, iid: number) =>
  (await visit.ask(editedDocument, { project: String(project.id), iid })).mergeRequest;

/** The form that changes a merge request. */
export async function showEdit(visit: Visit, project: Project, iid: number): Promise<Answer> {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  return page(visit, project, iid, null);
}

async function page(
  visit: Visit,
  project: Project,
  iid: number,
  fault: Fault | null,
): Promise<Answer> {
  const edited = await editedOf(visit, project, iid);
  if (!edited.canUpdate) throw forbidden();
  const assignees = edited.assignee ? [edited.assignee] : [];
  const stored = storedChoices({ ...edited, assignees });
  const values = fault
    ? submittedValues(visit)
    : {
        title: edited.title,
        description: edited.description ?? '',
        chosen: stored.chosen,
        removesSourceBranch: edited.forceRemoveSourceBranch,
      };
  const [choices, { branches }] = await Promise.all([
    edited.canAdminister ? choicesIn(visit, project) : null,
    refNames(visit, project),
  ]);
  const target = fault ? (visit.form.target_branch ?? '') : edited.targetBranch;
  const address = mergeRequestAddress(visit, project, iid);
  const main = html`<h1>Edit merge request <span class="number">!${iid}</span></h1>
${formOf(
  visit,
  { address: `${address}/edit`, submit: 'Save changes', cancel: address },
  html`${formFields(visit, { values, choices, current: stored.current, fault, projectAddress: addressIn(visit, project) })}
${edited.state === 'opened' && html`${suggestions('branches', branches)}${refField({ name: 'target_branch', label: 'Target branch', value: target, list: 'branches' })}`}`,
)}`;
  const shown = projectPage(visit, project, 'merge_requests', `Edit !${iid}`, main);
  return { ...shown, status: fault?.status ?? 200 };
}

/** Stores the changes of the form. */
export function submitEdit(visit: Visit, project: Project, iid: number): Promise<Answer> {
  const work = async (): Promise<Answer> => {
    const { canAdminister } = await editedOf(visit, project, iid);
    const input = await submittedInput(visit, project, canAdminister);
    const target = visit.form.target_branch;
    const change = { ...input, ...(target && { targetBranch: target }) };
    await visit.ask(update, { project: String(project.id), iid, change });
    return { redirect: mergeRequestAddress(visit, project, iid) };
  };
  return orFault(visit, work, (fault) => page(visit, project, iid, fault));
}
