import { graphql } from '../../../schema/client/graphql.ts';
import { patchOf, textFile } from '../commits/patch.ts';
import { changes, changesFragment } from '../diffs/changes.ts';
import { type Compared, isParallel } from '../diffs/compared.ts';
import { diffFields } from '../diffs/fields.ts';
import { createLineComment, lineFormFragment, withComments } from '../diffs/line-comments.ts';
import type { Project } from '../frame/project-head.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { headFields } from './fields.ts';
import { mergeRequestAddress, mergeRequestPage } from './head.ts';
import { linesOf } from './line-source.ts';
import { placeOf } from './place.ts';
import { versionsMenu } from './versions.ts';

const changesDocument = graphql(
  `query BrowsedMergeRequestChanges($project: ID!, $iid: Int!) {
    mergeRequest(project: $project, iid: $iid) {
      ...MergeRequestHeadFields
      canComment sha diffRefs { baseSha startSha headSha } diffs { ...BrowsedDiffFields }
    }
  }`,
  [headFields, diffFields],
);

async function changesOf(visit: Visit, project: Project, iid: number) {
  const { mergeRequest } = await visit.ask(changesDocument, { project: String(project.id), iid });
  const { diffRefs: refs, sha, diffs, canComment } = mergeRequest;
  const compared: Compared = {
    address: mergeRequestAddress(visit, project, iid, 'diffs'),
    diffs,
    oldSha: refs?.baseSha ?? null,
    newSha: refs?.headSha ?? sha ?? '',
  };
  const source = refs && linesOf(placeOf(visit, project, iid, 'diffs'), refs, canComment);
  return { mergeRequest, compared, source };
}

/** The changed files, with the threads on their lines and the form for another one. */
export async function showChangesTab(
  visit: Visit,
  project: Project,
  iid: number,
  fault: Fault | null = null,
): Promise<Answer> {
  const { mergeRequest, compared, source } = await changesOf(visit, project, iid);
  const form = lineFormFragment(visit, source);
  if (form) return form;
  const commented = await withComments(visit, compared, source, fault);
  const { outdated } = commented;
  const fragment = await changesFragment(visit, project, commented.compared);
  if (fragment) return fragment;
  const diff = `${mergeRequestAddress(visit, project, iid)}.diff`;
  const content = html`${outdated > 0 && html`<p class="quiet">${outdated === 1 ? '1 thread is' : `${outdated} threads are`} on other versions of the changes: see the <a href="${mergeRequestAddress(visit, project, iid)}">discussion</a>.</p>`}
${await versionsMenu(visit, project, iid)}
${await changes(visit, project, commented.compared)}
<p><a href="${diff}">Download the changes as a diff</a></p>`;
  const page = mergeRequestPage(visit, project, mergeRequest, 'diffs', content);
  return { ...page, isWide: isParallel(visit), status: fault?.status ?? 200 };
}

/** Creates a comment on a line of the changes. */
export function submitLineComment(visit: Visit, project: Project, iid: number): Promise<Answer> {
  const work = async () => {
    const { compared, source } = await changesOf(visit, project, iid);
    return createLineComment(visit, compared, source);
  };
  return orFault(visit, work, (fault) => showChangesTab(visit, project, iid, fault));
}

/** The changes in git's format. */
export async function sendChanges(visit: Visit, project: Project, iid: number): Promise<Answer> {
  const { compared } = await changesOf(visit, project, iid);
  return textFile(patchOf(compared.diffs), `${iid}.diff`);
}
