import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import type { EditedPlace } from './place.ts';

/** How a change is committed: the fields that all forms of files have. */
export interface CommitFields {
  readonly message: string;
  /** The branch that gets the commit. */
  readonly branch: string;
  /** Whether a merge request is opened afterwards, if the branch is new. */
  readonly opensMergeRequest: boolean;
}

/** The commit that a form proposes: to the branch itself, if the user may push to it. */
export const proposedCommit = (
  { viewer }: Visit,
  { branch, canPush }: EditedPlace,
  message: string,
): CommitFields => ({
  message,
  branch: canPush ? branch : `${viewer?.username ?? 'user'}-patch-${Date.now().toString(36)}`,
  opensMergeRequest: true,
});

/** The submitted fields. */
export const submittedCommit = ({ form }: Visit): CommitFields => ({
  message: form.commit_message ?? '',
  branch: form.branch_name?.trim() ?? '',
  opensMergeRequest: form.create_merge_request === '1',
});

/** The variable `commit` of the mutations. */
export const commitInput = (
  { message, branch }: CommitFields,
  place: EditedPlace,
  proposed: string,
) => ({
  branch,
  startBranch: branch === place.branch ? null : place.branch,
  message: message.trim() === '' ? proposed : message,
});

/** The controls of a commit: its message, its branch, and whether a merge request follows. */
export function commitControls(
  place: EditedPlace,
  { message, branch, opensMergeRequest }: CommitFields,
  fault: Fault | null,
): Html {
  const faults = fault?.fields ?? {};
  return html`${textArea({
    name: 'commit_message',
    label: 'Commit message',
    value: message,
    rows: 3,
    fault: faultText(faults, 'commit_message', 'Message'),
  })}
${field({
  name: 'branch_name',
  label: 'Branch',
  value: branch,
  isRequired: true,
  hint: place.canPush
    ? `Another name than ${place.branch} creates a new branch.`
    : `You may not push to ${place.branch}, so that a new branch is created.`,
  fault: faultText(faults, 'branch', 'Branch') ?? faultText(faults, 'branch_name', 'Branch'),
})}
${
  place.location !== null &&
  checkbox({
    name: 'create_merge_request',
    label: 'Start a merge request if the branch is new',
    isChecked: opensMergeRequest,
  })
}`;
}

/** Where a user goes after a commit: to the file, or to a new merge request. */
export function afterCommit(
  visit: Visit,
  project: Project,
  place: EditedPlace,
  { branch, opensMergeRequest, path }: CommitFields & { readonly path: readonly string[] },
): Answer {
  if (branch === place.branch || !opensMergeRequest) {
    const [kind = 'tree', ...below] = path;
    return { redirect: addressIn(visit, project, kind, branch, ...below) };
  }
  const query = new URLSearchParams({
    'merge_request[source_branch]': branch,
    'merge_request[target_branch]': place.branch,
  });
  return { redirect: `${addressIn(visit, project, 'merge_requests', 'new')}?${query}` };
}
