import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { changes, changesFragment } from '../diffs/changes.ts';
import { type Compared, isParallel } from '../diffs/compared.ts';
import { diffFields } from '../diffs/fields.ts';
import { createLineComment, lineFormFragment, withComments } from '../diffs/line-comments.ts';
import { showDiscussionPart, submitToDiscussion } from '../discussions/parts.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { splitFirst } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { commitActions, submitAction } from './commit-actions.ts';
import { commitDiscussion } from './commit-discussion.ts';
import { commitHead, commitHeadFields } from './commit-head.ts';
import { commitLines, commitPlace } from './commit-lines.ts';
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
export const showCommit: ProjectPage = async (visit, project, rest) => {
  const [first, part] = splitFirst(rest);
  const [, sha, ending] = shaAndEnding.exec(first) ?? [];
  if (sha === undefined || (ending && part !== '')) throw pathNotFound();
  if (ending === 'patch') return sendPatch(visit, project, sha);
  if (ending === 'diff') return sendDiff(visit, project, sha);
  if (part === '') return commitPage(visit, project, sha, null);
  if (part === 'branches') return showCommitRefs(visit, project, sha);
  const shown = await showDiscussionPart(visit, commitPlace(visit, project, sha), part);
  if (!shown) throw pathNotFound();
  return shown;
};

/** The forms of a commit: `<sha>/cherry_pick`, `<sha>/revert`, and those of its discussion. */
export const submitCommit: ProjectPage = async (visit, project, rest) => {
  const [sha, action] = splitFirst(rest);
  if (!shaAndEnding.test(sha)) throw pathNotFound();
  const again = (fault: Fault) => commitPage(visit, project, sha, fault);
  if (action === 'comments') {
    const work = async () => {
      const { compared, source } = await changesOf(visit, project, sha);
      return createLineComment(visit, compared, source);
    };
    return orFault(visit, work, again);
  }
  const submitted = await submitToDiscussion(visit, commitPlace(visit, project, sha), action);
  return submitted ?? submitAction(visit, project, { sha, action }, again);
};

async function changesOf(visit: Visit, project: Project, sha: string) {
  const variables = { project: String(project.id), sha };
  const { commit } = (await visit.ask(commitDocument, variables)).repository;
  const { id, parentIds, diffs } = commit;
  const compared: Compared = {
    address: addressIn(visit, project, 'commit', id),
    diffs,
    oldSha: parentIds[0] ?? null,
    newSha: id,
  };
  return { commit, compared, source: commitLines(visit, project, commit) };
}

/** The message, the changes since the first parent, and the discussion. */
async function commitPage(
  visit: Visit,
  project: Project,
  sha: string,
  fault: Fault | null,
): Promise<Answer> {
  const { commit, compared, source } = await changesOf(visit, project, sha);
  const { id, title } = commit;
  const form = lineFormFragment(visit, source);
  if (form) return form;
  const isOnLine = visit.form.line !== undefined;
  const commented = await withComments(visit, compared, source, isOnLine ? fault : null);
  const fragment = await changesFragment(visit, project, commented.compared);
  if (fragment) return fragment;
  const main = html`<div class="bar"><h1>${title}</h1>
${await commitActions(visit, project, { sha: id, fault: isOnLine ? null : fault })}</div>
${commitHead(visit, project, commit)}
${await changes(visit, project, commented.compared)}
${await commitDiscussion(visit, source.place, commented.keys)}`;
  return {
    ...projectPage(visit, project, 'commits', title, main),
    isWide: isParallel(visit),
    status: fault?.status ?? 200,
  };
}
