import { refusal } from '../../../schema/client/execute.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';
import type { Issue } from './issue-document.ts';

/** Characters of a title in the name of a branch. */
const mostOfTitle = 60;

/** The largest number that an issue can have. */
const largestNumber = 2 ** 31 - 1;

const issueState = graphql(`
  query IssueOfBranch($project: ID!, $iid: Int!) {
    issue(project: $project, iid: $iid) { state }
  }
`);

/** `It's slow!`, number 12 → `12-it-s-slow`, as GitLab names the branch for an issue. */
const branchName = ({ iid, title }: Pick<Issue, 'iid' | 'title'>): string =>
  [
    iid,
    ...title
      .slice(0, mostOfTitle)
      .toLowerCase()
      .split(/[^\p{L}\p{N}]/u),
  ]
    .filter((part) => part !== '')
    .join('-');

/** The form for a branch on which an issue is worked on. */
export const branchAddress = (visit: Visit, project: Project, issue: Issue): string =>
  `${addressIn(visit, project, 'branches', 'new')}?${new URLSearchParams({ branch_name: branchName(issue) })}`;

/** The text that closes the open issue whose number a branch begins with; '' if there is none. */
export async function closingText(visit: Visit, project: Project, branch: string): Promise<string> {
  const iid = Number(/^(\d{1,10})-/.exec(branch)?.[1]);
  if (!(iid <= largestNumber)) return '';
  try {
    const { issue } = await visit.ask(issueState, { project: String(project.id), iid });
    return issue.state === 'opened' ? `Closes #${iid}` : '';
  } catch (error) {
    if (refusal(error)) return '';
    throw error;
  }
}
