import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm } from '../kernel/parts.ts';
import { branchAddress } from './branch-of-issue.ts';
import type { Issue } from './issue-document.ts';

interface IssueActions {
  readonly project: Project;
  readonly issue: Issue;
  /** Whether the user may change what issues have. */
  readonly canAdminister: boolean;
}

/** What a user may do with an issue besides changing its fields. */
export function actionsOf(visit: Visit, { project, issue, canAdminister }: IssueActions): Html {
  const { isSubscribed, isConfidential, isDiscussionLocked, state } = issue;
  const address = addressIn(visit, project, 'issues', String(issue.iid));
  const action = (part: string, label: string, symbol: Parameters<typeof icon>[0]) =>
    actionForm(visit, { address: `${address}/${part}`, label, icon: symbol, look: 'small' });
  return html`${action(isSubscribed ? 'unsubscribe' : 'subscribe', isSubscribed ? 'Unsubscribe' : 'Subscribe', 'bell')}
${action('todo', 'Add to-do', 'tasklist')}
${
  state === 'opened' &&
  project.access.canPush &&
  html`<a class="button secondary small" href="${branchAddress(visit, project, issue)}">${icon('git-branch')}Create branch</a>`
}
${
  canAdminister &&
  html`${action(isConfidential ? 'unhide' : 'hide', isConfidential ? 'Make visible' : 'Make confidential', 'eye')}
${action(isDiscussionLocked ? 'unlock' : 'lock', isDiscussionLocked ? 'Unlock discussion' : 'Lock discussion', isDiscussionLocked ? 'unlock' : 'lock')}
<details class="editor"${visit.form.to !== undefined && html` open`}><summary>Move issue</summary>${formOf(
    visit,
    { address: `${address}/move`, submit: 'Move' },
    field({
      name: 'to',
      label: 'To project',
      value: visit.form.to ?? '',
      isRequired: true,
      placeholder: 'group/project',
      hint: 'The issue is copied there with its comments, and closed here.',
    }),
  )}</details>`
}
${
  issue.project?.access.canDeleteIssues &&
  confirmedForm(
    visit,
    { address: `${address}/delete`, label: 'Delete issue' },
    'The issue is deleted with its comments. This cannot be undone.',
  )
}`;
}
