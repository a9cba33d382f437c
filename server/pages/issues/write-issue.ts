import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden, invalid } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { noChoices, resolveChoices, storedChoices } from '../issuables/choices.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { isDay } from '../kernel/times.ts';
import { issueDocument, mostParticipants } from './issue-document.ts';
import { draftIn, type IssueDraft, issueForm } from './issue-form.ts';

const rights = graphql(`query NewIssueRights($project: ID!) {
  project(id: $project) { access { canAdministerIssues } }
}`);

const create = graphql(`mutation CreateShownIssue($project: ID!, $issue: NewIssue!) {
  createIssue(project: $project, issue: $issue) { iid }
}`);

const update =
  graphql(`mutation UpdateShownIssue($project: ID!, $iid: Int!, $change: IssueChange!) {
  updateIssue(project: $project, iid: $iid, change: $change) { iid }
}`);

/** The form of a new issue, filled in from the address: `?issue[title]=Title`. */
export async function newIssue(
  visit: Visit,
  project: Project,
  fault?: Fault,
  sent?: IssueDraft,
): Promise<Answer> {
  const { query } = visit;
  const { access } = (await visit.ask(rights, { project: String(project.id) })).project;
  const address = addressIn(visit, project, 'issues');
  const draft = sent ?? {
    title: query['issue[title]'] ?? '',
    description: query['issue[description]'] ?? '',
    dueDate: '',
    isConfidential: query['issue[confidential]'] === 'true',
    ...noChoices.chosen,
    milestone: query['issue[milestone_id]'] ?? '',
  };
  return issueForm(visit, project, {
    heading: 'New issue',
    submit: 'Create issue',
    address,
    cancel: address,
    draft,
    current: noChoices.current,
    canAdminister: access.canAdministerIssues,
    canHide: true,
    fault,
  });
}

export function createIssue(visit: Visit, project: Project): Promise<Answer> {
  const draft = draftIn(visit);
  const work = async () => {
    const issue = { ...(await changeOf(visit, project, draft)), title: draft.title };
    const { createIssue: created } = await visit.ask(create, {
      project: String(project.id),
      issue,
    });
    return { redirect: addressIn(visit, project, 'issues', String(created.iid)) };
  };
  return orFault(visit, work, (fault) => newIssue(visit, project, fault, draft));
}

/** The form of an issue. */
export async function editIssue(
  visit: Visit,
  project: Project,
  iid: number,
  fault?: Fault,
  sent?: IssueDraft,
): Promise<Answer> {
  const variables = { project: String(project.id), iid, people: mostParticipants };
  const { issue } = await visit.ask(issueDocument, variables);
  if (!issue.canUpdate) throw forbidden();
  const address = addressIn(visit, project, 'issues', String(iid));
  const canAdminister = issue.project?.access.canAdministerIssues ?? false;
  const stored = storedChoices(issue);
  const draft = sent ?? {
    title: issue.title,
    description: issue.description ?? '',
    dueDate: issue.dueDate ?? '',
    isConfidential: issue.isConfidential,
    ...stored.chosen,
  };
  return issueForm(visit, project, {
    heading: `Edit issue #${iid}`,
    submit: 'Save issue',
    address,
    cancel: address,
    draft,
    current: stored.current,
    canAdminister,
    canHide: canAdminister,
    fault,
  });
}

export function updateIssue(visit: Visit, project: Project, iid: number): Promise<Answer> {
  const draft = draftIn(visit);
  const work = async () => {
    const change = await changeOf(visit, project, draft);
    await visit.ask(update, { project: String(project.id), iid, change });
    return { redirect: addressIn(visit, project, 'issues', String(iid)) };
  };
  return orFault(visit, work, (fault) => editIssue(visit, project, iid, fault, draft));
}

/** The form as the core takes it, which ignores what the user may not set. */
const changeOf = async (visit: Visit, project: Project, draft: IssueDraft) => ({
  title: draft.title,
  description: draft.description,
  isConfidential: draft.isConfidential,
  dueDate: dayOf(draft.dueDate),
  ...(await resolveChoices(visit, String(project.id), draft)),
});

/** A day, or null for none; throws if the text is none. */
export function dayOf(text: string): string | null {
  if (text === '') return null;
  if (!isDay(text)) throw invalid({ dueDate: ['is not a date'] });
  return text;
}
