import { forbidden } from '../../../schema/kernel/errors.ts';
import { comparedCommits } from '../compare/comparison.ts';
import { changes } from '../diffs/changes.ts';
import { addressIn, newMergeRequestAddress } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { choicesIn, noChoices } from '../issuables/choices.ts';
import { closingText } from '../issues/branch-of-issue.ts';
import type { Fault } from '../kernel/fault.ts';
import { formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { choices as choiceLinks } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { type Branches, branchesForm, chosenBranches, targetProject } from './branches-form.ts';
import { formFields, submittedValues } from './form.ts';
import { previewOf } from './preview.ts';
import { descriptionTemplates, templateText } from './templates.ts';

/** The form for a new merge request; without branches in the address, the form that chooses them. */
export async function showNew(visit: Visit, project: Project): Promise<Answer> {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  if (!project.mergeRequestsEnabled || !project.access.canPush) throw forbidden();
  const branches = await chosenBranches(visit, project);
  if (branches.source === '' || branches.target === '' || visit.query.change_branches === '1') {
    return branchesForm(visit, project, branches);
  }
  return newPage(visit, project, branches, null);
}

/** The form with the commits and changes below it. */
export async function newPage(
  visit: Visit,
  project: Project,
  branches: Branches,
  fault: Fault | null,
): Promise<Answer> {
  const { source, target } = branches;
  const destination = await targetProject(visit, project, branches);
  const isFork = destination.id !== project.id;
  const preview = await previewOf(visit, project, destination, branches);
  if (!preview) {
    return branchesForm(visit, project, branches, 'One of the branches does not exist.');
  }
  const templates = await descriptionTemplates(visit, destination);
  const [only] = preview.commits.length === 1 ? preview.commits : [];
  const template = await templateText(visit, destination, templates, visit.query.template);
  const closing = fault || isFork ? '' : await closingText(visit, project, source);
  const values = fault
    ? submittedValues(visit)
    : {
        title: only?.title ?? titleOf(source),
        description: [template ?? bodyOf(only?.message ?? ''), closing]
          .filter(Boolean)
          .join('\n\n'),
        chosen: noChoices.chosen,
        removesSourceBranch: false,
      };
  const choices = destination.access.canPush ? await choicesIn(visit, destination) : null;
  const address = newMergeRequestAddress(visit, project, branches);
  const main = html`<h1>New merge request</h1>
<p>From <code>${source}</code> into <code>${isFork && `${destination.fullPath}:`}${target}</code>
<a href="${address}&change_branches=1">Change branches</a></p>
${templates.length > 0 && templateLinks(address, templates, visit.query.template)}
${formOf(
  visit,
  { address: addressIn(visit, project, 'merge_requests'), submit: 'Create merge request' },
  html`<input type="hidden" name="source_branch" value="${source}">
<input type="hidden" name="target_branch" value="${target}">
<input type="hidden" name="target_project" value="${branches.project}">
${formFields(visit, { values, choices, current: noChoices.current, fault, projectAddress: addressIn(visit, destination) })}`,
)}
${comparedCommits(visit, project, preview, { from: target, to: source })}
${preview.commits.length > 0 && (await changes(visit, project, preview.compared))}`;
  const shown = projectPage(visit, project, 'merge_requests', 'New merge request', main);
  return { ...shown, status: fault?.status ?? 200 };
}

const templateLinks = (
  address: string,
  templates: readonly { readonly name: string }[],
  chosen: string | undefined,
): Html =>
  choiceLinks(
    'Template',
    templates.map(({ name }) => [name, `${address}&${new URLSearchParams({ template: name })}`]),
    chosen ?? '',
  );

/** `fix/long-names` → `Fix/long names`. */
function titleOf(branch: string): string {
  const words = branch.replaceAll(/[-_]/g, ' ').trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** A commit message without its first line. */
function bodyOf(message: string): string {
  const end = message.indexOf('\n');
  return end < 0 ? '' : message.slice(end).trim();
}
