import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { discussionOf } from '../discussions/discussion.ts';
import { showDiscussionPart, submitToDiscussion } from '../discussions/parts.ts';
import type { DiscussionPlace } from '../discussions/place.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { html } from '../kernel/html.ts';
import { badges, choices, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';

const list = graphql(
  `query BrowsedIssues($project: ID!, $filter: IssueFilter!, $page: Int!, $perPage: Int!) {
    projectIssues(project: $project, filter: $filter, page: $page, perPage: $perPage) {
      total nodes {
        iid title state isConfidential labels: labelNames createdAt userNotesCount author { ...PersonFields }
      }
    }
  }`,
  [personFields],
);

const issueDocument = graphql(
  `query BrowsedIssue($project: ID!, $iid: Int!) {
    issue(project: $project, iid: $iid) {
      iid title description state isConfidential labels: labelNames createdAt dueDate canComment canUpdate
      milestone { title }
      author { ...PersonFields } assignees { ...PersonFields }
    }
  }`,
  [personFields],
);

const states = ['opened', 'closed', 'all'] as const;

/** The issues of a project, or one of them by its number. */
export const showIssues: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return showList(visit, project);
  const [number, part] = splitFirst(rest);
  if (part === '') return showIssue(visit, project, numberIn(number));
  const shown = await showDiscussionPart(visit, placeOf(visit, project, numberIn(number)), part);
  if (!shown) throw pathNotFound();
  return shown;
};

/** Handles the forms of an issue. */
export const submitToIssues: ProjectPage = async (visit, project, rest) => {
  const [number, part] = splitFirst(rest);
  const place = placeOf(visit, project, numberIn(number));
  const answer = await submitToDiscussion(visit, place, part);
  if (!answer) throw pathNotFound();
  return answer;
};

const placeOf = (visit: Visit, project: Project, iid: number): DiscussionPlace => ({
  subject: { issue: { project: String(project.id), iid } },
  project,
  address: addressIn(visit, project, 'issues', String(iid)),
  section: 'issues',
  name: `#${iid}`,
});

async function showList(visit: Visit, project: Project): Promise<Answer> {
  const state = states.find((name) => name === visit.query.state) ?? 'opened';
  const page = pageOf(visit);
  const filter = state === 'all' ? {} : { state };
  const variables = { project: String(project.id), filter, page, perPage };
  const { total, nodes } = (await visit.ask(list, variables)).projectIssues;
  const address = addressIn(visit, project, 'issues');
  const rows = nodes.map(
    (
      issue,
    ) => html`<a class="name" href="${addressIn(visit, project, 'issues', String(issue.iid))}">${issue.title}</a>${marks(issue)}
<span class="quiet">#${issue.iid} · ${issue.state} · ${person(visit, issue.author)} · ${when(issue.createdAt)} · ${issue.userNotesCount} ${issue.userNotesCount === 1 ? 'comment' : 'comments'}</span>`,
  );
  const options = states.map((name) => [name, `${address}?state=${name}`] as const);
  const main = html`<h1>Issues</h1>
${choices('State', options, state)}
${entries(rows, 'No issues match this filter.')}
${pager({ address, page, total, query: { state } })}`;
  return projectPage(visit, project, 'issues', 'Issues', main);
}

type Issue = ResultOf<typeof issueDocument>['issue'];

const marks = ({ isConfidential, labels }: Pick<Issue, 'isConfidential' | 'labels'>) =>
  badges([...(isConfidential ? ['confidential'] : []), ...labels]);

async function showIssue(visit: Visit, project: Project, iid: number): Promise<Answer> {
  const id = String(project.id);
  const { issue } = await visit.ask(issueDocument, { project: id, iid });
  const { title, description, state, author, assignees, milestone, dueDate, createdAt } = issue;
  const { canComment, canUpdate } = issue;
  const event = state === 'opened' ? 'close' : 'reopen';
  const main = html`<h1>${title} <span class="number">#${iid}</span></h1>
<p><span class="badge">${state}</span>${marks(issue)}
<span class="quiet">${person(visit, author)} · ${when(createdAt)}</span></p>
<dl class="traits">
${assignees.length > 0 && html`<dt>Assignees</dt><dd>${assignees.map((assignee) => html`${person(visit, assignee)} `)}</dd>`}
${milestone && html`<dt>Milestone</dt><dd>${milestone.title}</dd>`}
${dueDate && html`<dt>Due</dt><dd>${dueDate}</dd>`}
</dl>
${description && (await markdown(visit, description, textLinking(visit, project)))}
${await discussionOf(visit, placeOf(visit, project, iid), {
  canComment,
  stateEvent: canUpdate ? event : null,
})}`;
  return projectPage(visit, project, 'issues', `${title} (#${iid})`, main);
}
