import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { changes, changesFragment } from '../diffs/changes.ts';
import { isParallel } from '../diffs/compared.ts';
import { diffFields } from '../diffs/fields.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { splitFirst } from '../kernel/addresses.ts';
import type { Fault } from '../kernel/fault.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { commitActions, submitAction } from './commit-actions.ts';
import { commitHead, commitHeadFields } from './commit-head.ts';
import { showCommitRefs } from './commit-refs.ts';
import { sendDiff, sendPatch } from './patch.ts';

const commitDocument = graphql(
  `query BrowsedCommit($project: ID!, $sha: String!) {
    repository(project: $project) {
      commit(ref: $sha) { id title parentIds ...CommitHeadFields diffs { ...BrowsedDiffFields } }
    }
  }`,
  [diffFields, commitHeadFields],
);

const shaAndEnding = /^([0-9a-f]{4,40})(?:\.(patch|diff))?$/i;

/** A commit: `<sha>`, its branches and tags `<sha>/branches`, and its patch: `<sha>.patch`, `.diff`. */
export const showCommit: ProjectPage = (visit, project, rest) => {
  const [first, part] = splitFirst(rest);
  const [, sha, ending] = shaAndEnding.exec(first) ?? [];
  if (sha === undefined) throw pathNotFound();
  if (part === 'branches' && !ending) return showCommitRefs(visit, project, sha);
  if (part !== '') throw pathNotFound();
  if (ending === 'patch') return sendPatch(visit, project, sha);
  if (ending === 'diff') return sendDiff(visit, project, sha);
  return commitPage(visit, project, sha, null);
};

/** The forms of a commit: `<sha>/cherry_pick` and `<sha>/revert`. */
export const submitCommit: ProjectPage = (visit, project, rest) => {
  const [sha, action] = splitFirst(rest);
  if (!shaAndEnding.test(sha)) throw pathNotFound();
  return submitAction(visit, project, { sha, action }, (fault) =>
    commitPage(visit, project, sha, fault),
  );
};

/** The message, and the changes since the first parent. */
async function commitPage(
  visit: Visit,
  project: Project,
  sha: string,
  fault: Fault | null,
): Promise<Answer> {
  const variables = { project: String(project.id), sha };
  const { commit } = (await visit.ask(commitDocument, variables)).repository;
  const { id, title, parentIds, diffs } = commit;
  const compared = {
    address: addressIn(visit, project, 'commit', id),
    diffs,
    oldSha: parentIds[0] ?? null,
    newSha: id,
  };
  const fragment = await changesFragment(visit, project, compared);
  if (fragment) return fragment;
  const main = html`<div class="bar"><h1>${title}</h1>
${await commitActions(visit, project, { sha: id, fault })}</div>
${commitHead(visit, project, commit)}
${await changes(visit, project, compared)}`;
  return {
    ...projectPage(visit, project, 'commits', title, main),
    isWide: isParallel(visit),
    status: fault?.status ?? 200,
  };
}
