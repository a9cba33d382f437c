import { graphql } from '../../../schema/client/graphql.ts';
import { changes, changesFragment } from '../diffs/changes.ts';
import { type BelowLines, type Compared, isParallel } from '../diffs/compared.ts';
import { diffFields } from '../diffs/fields.ts';
import type { Project } from '../frame/project-head.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { headFields } from './fields.ts';
import { mergeRequestAddress, mergeRequestPage } from './head.ts';
import { commentedLine, createLineComment, lineForm, lineFormRow } from './line-comments.ts';
import { lineThreads } from './line-threads.ts';
import { placeOf } from './place.ts';

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
    canComment: canComment && refs !== null,
  };
  return { mergeRequest, compared, refs };
}

/** The changed files, with the threads on their lines and the form for another one. */
export async function showChangesTab(
  visit: Visit,
  project: Project,
  iid: number,
  fault: Fault | null = null,
): Promise<Answer> {
  const { mergeRequest, compared, refs } = await changesOf(visit, project, iid);
  const place = placeOf(visit, project, iid, 'diffs');
  const line = compared.canComment ? commentedLine(visit) : null;
  if (line && visit.query.fragment === 'form') return { fragment: lineFormRow(visit, place, line) };
  const { diffs } = compared;
  const { below, outdated } = await lineThreads(
    visit,
    place,
    { diffs, refs },
    mergeRequest.canComment,
  );
  const shown: Compared = {
    ...compared,
    below: line
      ? withForm(below, line.file, keyOf(line), lineForm(visit, place, line, fault))
      : below,
  };
  const fragment = await changesFragment(visit, project, shown);
  if (fragment) return fragment;
  const content = html`${outdated > 0 && html`<p class="quiet">${outdated === 1 ? '1 thread is' : `${outdated} threads are`} on other versions of the changes: see the <a href="${mergeRequestAddress(visit, project, iid)}">discussion</a>.</p>`}
${await changes(visit, project, shown)}`;
  const page = mergeRequestPage(visit, project, mergeRequest, 'diffs', content);
  return { ...page, isWide: isParallel(visit), status: fault?.status ?? 200 };
}

const keyOf = ({ oldLine, newLine }: NonNullable<ReturnType<typeof commentedLine>>): string =>
  `${oldLine ?? ''}:${newLine ?? ''}`;

/** What stands below the lines, with a form below one of them. */
function withForm(below: BelowLines, file: string, key: string, form: Html): BelowLines {
  const lines = below.get(file);
  const shown = new Map([...(lines ?? []), [key, html`${lines?.get(key)}${form}`] as const]);
  return new Map([...below, [file, shown]]);
}

/** Creates a comment on a line of the changes. */
export function submitLineComment(visit: Visit, project: Project, iid: number): Promise<Answer> {
  const work = async () => {
    const { compared, refs } = await changesOf(visit, project, iid);
    return createLineComment(visit, { project, iid, compared, refs });
  };
  return orFault(visit, work, (fault) => showChangesTab(visit, project, iid, fault));
}
