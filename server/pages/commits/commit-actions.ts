import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { refField, refNames, suggestions } from '../code/ref-field.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Fault, foundBy, orFault } from '../kernel/fault.ts';
import { formOf, otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert, menu, notice } from '../kernel/parts.ts';

/** The actions by the last segment of a form's address: `/<project>/commit/<sha>/revert`. */
const documents = {
  cherry_pick: graphql(`
    mutation CherryPickShownCommit($project: ID!, $sha: String!, $branch: String!) {
      created: cherryPickCommit(project: $project, sha: $sha, branch: $branch) { id }
    }
  `),
  revert: graphql(`
    mutation RevertShownCommit($project: ID!, $sha: String!, $branch: String!) {
      created: revertCommit(project: $project, sha: $sha, branch: $branch) { id }
    }
  `),
};

const names: Readonly<Record<string, string>> = { cherry_pick: 'Cherry-pick', revert: 'Revert' };

interface Action {
  readonly sha: string;
  readonly action: string;
}

/** Applies or undoes a commit on a branch; shows the page of the new commit. */
export function submitAction(
  visit: Visit,
  project: Project,
  { sha, action }: Action,
  shown: (fault: Fault) => Promise<Answer>,
): Promise<Answer> {
  const document = new Map(Object.entries(documents)).get(action);
  if (!document) throw pathNotFound();
  const work = async (): Promise<Answer> => {
    const branch = visit.form.branch ?? '';
    const variables = { project: String(project.id), sha, branch };
    const { created } = await foundBy('branch', () => visit.ask(document, variables));
    const address = addressIn(visit, project, 'commit', created?.id ?? sha);
    return { redirect: `${address}?${new URLSearchParams({ created_on: branch })}` };
  };
  return orFault(visit, work, shown);
}

/** The forms that apply or undo a commit on a branch; null for users who cannot push. */
export async function commitForms(
  visit: Visit,
  project: Project,
  sha: string,
  branch: string,
): Promise<Html | null> {
  if (!project.access.canPush || !visit.viewer) return null;
  const { branches } = await refNames(visit, project);
  const form = (action: string) =>
    menu(
      html`${names[action]}${icon('chevron-down')}`,
      formOf(
        visit,
        {
          address: addressIn(visit, project, 'commit', sha, action),
          submit: names[action] ?? '',
          className: 'in-menu',
        },
        refField({
          name: 'branch',
          id: `${action}-branch`,
          label: 'On branch',
          value: branch,
          list: 'branches',
        }),
      ),
    );
  return html`${suggestions('branches', branches)}${form('cherry_pick')}${form('revert')}`;
}

interface Actions {
  readonly sha: string;
  readonly fault: Fault | null;
}

/** Links and forms of a commit, the error of a form, and the confirmation after it. */
export async function commitActions(
  visit: Visit,
  project: Project,
  { sha, fault }: Actions,
): Promise<Html> {
  const at = addressIn(visit, project, 'commit', sha);
  const branch = visit.form.branch ?? project.defaultBranch ?? '';
  const created = visit.query.created_on;
  return html`<div class="row">
<a class="button secondary small" href="${addressIn(visit, project, 'tree', sha)}">${icon('file-directory-fill')}Browse files</a>
${await commitForms(visit, project, sha, branch)}
${menu(html`${icon('download')}Download${icon('chevron-down')}`, html`<a href="${at}.patch">Patch</a><a href="${at}.diff">Diff</a>`)}
</div>
${fault && alert(fault.text ?? otherFaults(fault.fields, []))}
${created && notice(html`The commit was created on the branch ${created}.`)}`;
}
