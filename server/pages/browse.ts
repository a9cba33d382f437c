import { graphql } from '../../schema/client/graphql.ts';
import { pathNotFound } from '../../schema/kernel/errors.ts';
import { showJob } from './ci/job.ts';
import { showPipelines } from './ci/pipelines.ts';
import { showBlob } from './code/blob.ts';
import { showBranches } from './code/branches.ts';
import { showCommit } from './code/commit.ts';
import { showCommits } from './code/commits.ts';
import { sendFile } from './code/raw.ts';
import { showTags } from './code/tags.ts';
import { showTree } from './code/tree.ts';
import { type ProjectPage, projectHeadFields } from './frame/project-head.ts';
import { groupFields, showGroup } from './groups/group.ts';
import { showIssues } from './issues/issues.ts';
import { pathIn, splitFirst } from './kernel/addresses.ts';
import { encoded } from './kernel/encoded.ts';
import type { Answer, Page, Visit } from './kernel/page.ts';
import { showMergeRequests } from './merge-requests/merge-requests.ts';
import { showProject } from './projects/project.ts';
import { showPersonalSnippet, showSnippets } from './snippets/snippets.ts';
import { showUser, userFields } from './users/user.ts';
import { showWiki } from './wiki/wiki.ts';

/** Paths of the APIs, which send their own 404 responses. */
const machines = new Set(['-', 'api', 'assets', 'graphql', 'oauth', 'uploads']);

/** The pages of a project by the segment after its path. */
const projectPages: ReadonlyMap<string, ProjectPage> = new Map([
  ['', showProject],
  ['tree', showTree],
  ['blob', showBlob],
  ['raw', sendFile],
  ['commits', showCommits],
  ['commit', showCommit],
  ['branches', showBranches],
  ['tags', showTags],
  ['wikis', showWiki],
  ['issues', showIssues],
  ['merge_requests', showMergeRequests],
  ['snippets', showSnippets],
  ['pipelines', showPipelines],
  ['jobs', showJob],
]);

/**
 * Pages of users, groups, projects and their contents. A missing resource and one that the user may
 * not see give the same 404.
 */
export const browse: Page = {
  method: 'get',
  path: '/*address',
  access: 'anyone',
  answer: (visit) => {
    const { path } = visit.ctx;
    const [first, rest] = splitFirst(path.slice(1));
    if (machines.has(first)) return null;
    const whole = pathIn(path);
    if (first === 'snippets') return showPersonalSnippet(visit, pathIn(rest));
    if (first === 'groups') return showPlace(visit, pathIn(rest), 'group');
    if (first === 'users') return showPlace(visit, pathIn(rest), 'user');
    return showPlace(visit, whole);
  },
};

const place = graphql(
  `query Place($path: String!) {
    address(path: $path) {
      rest
      project { ...ProjectHeadFields }
      group { ...GroupFields }
      user { ...UserFields }
    }
  }`,
  [projectHeadFields, groupFields, userFields],
);

async function showPlace(visit: Visit, path: string, wanted?: 'group' | 'user'): Promise<Answer> {
  const { rest, ...owners } = (await visit.ask(place, { path })).address;
  const owner = owners.project ?? owners.group ?? owners.user;
  const fullPath = owner && ('fullPath' in owner ? owner.fullPath : owner.username);
  if (!fullPath || (wanted && !owners[wanted])) throw pathNotFound();
  const below = rest.replace(/^-\//, '');
  const [word, after] = splitFirst(below);
  // the canonical path of jobs has `-/`
  const canonical = word === 'jobs' ? `-/${below}` : below;
  const requested = rest === '' ? path : path.slice(0, -rest.length - 1);
  const isMoved = requested.toLowerCase() !== fullPath.toLowerCase();
  if (isMoved || canonical !== rest) {
    const address = canonical === '' ? fullPath : `${fullPath}/${canonical}`;
    return { redirect: visit.url(`/${encoded(address)}${visit.ctx.search}`) };
  }
  if (owners.project) {
    const show = projectPages.get(word);
    if (!show) throw pathNotFound();
    return show(visit, owners.project, after);
  }
  // a clone URL opened in a browser
  if (rest.endsWith('.git')) return { redirect: visit.url(`/${encoded(path.slice(0, -4))}`) };
  if (rest !== '') throw pathNotFound();
  if (owners.group) return showGroup(visit, owners.group);
  if (owners.user) return showUser(visit, owners.user);
  throw pathNotFound();
}
