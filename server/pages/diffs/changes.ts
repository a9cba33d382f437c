import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { choices } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import {
  type Compared,
  fileKey,
  isParallel,
  mostFiles,
  mostLines,
  onlyIn,
  shownDiffs,
  withView,
} from './compared.ts';
import { rendered } from './diff-task.ts';
import type { Diff } from './fields.ts';
import {
  changeIcon,
  fileBody,
  fileChange,
  isBinary,
  lineCounts,
  type ShownFile,
} from './file-change.ts';

/** Further limits of a page: lines of one file among others, and characters of all. */
const mostFileLines = 1_000;
const mostText = 512 * 1024;

const sizesDocument = graphql(`
  query ChangedSizes($project: ID!, $shas: [String!]!) {
    repository(project: $project) { blobSizes(shas: $shas) }
  }
`);

/** The sizes of both versions of binary files. */
async function sizesOf(visit: Visit, project: Project, diffs: readonly Diff[]) {
  const shas = diffs
    .filter(isBinary)
    .flatMap(({ oldBlob, newBlob }) => [oldBlob, newBlob].filter((id) => id !== null));
  if (shas.length === 0) return new Map<string, number>();
  const variables = { project: String(project.id), shas };
  const { blobSizes } = (await visit.ask(sizesDocument, variables)).repository;
  return new Map(shas.map((sha, place) => [sha, blobSizes[place] ?? 0]));
}

/** Renders files; null if that is too costly. */
async function shownFiles(
  visit: Visit,
  project: Project,
  compared: Compared,
  diffs: readonly Diff[],
): Promise<readonly ShownFile[] | null> {
  const { newSha, below, canComment, address, isElsewhere = false } = compared;
  const files = diffs.map((diff) => {
    const { newPath, isDeleted, isNew } = diff;
    const id = fileKey(diff);
    const isWhole = isDeleted || isNew || isElsewhere;
    const comment = withView(visit, address, { ...onlyIn(visit), comment: `${id}:` });
    return {
      id,
      diff: isBinary(diff) ? '' : diff.diff,
      keys: [...(below?.get(id)?.keys() ?? [])],
      linesAddress: isWhole ? null : addressIn(visit, project, 'diff_lines', newSha, newPath),
      blobAddress:
        isDeleted || isElsewhere ? null : addressIn(visit, project, 'blob', newSha, newPath),
      commentAddress: canComment ? comment : null,
    };
  });
  const limits = { mostFileLines, mostLines, mostText };
  const [results, sizes] = await Promise.all([
    rendered(visit, { files, isParallel: isParallel(visit), ...limits }),
    isElsewhere ? new Map<string, number>() : sizesOf(visit, project, diffs),
  ]);
  return (
    results?.flatMap((result, place) => {
      const diff = diffs[place];
      return diff ? [{ diff, rendered: result, sizes }] : [];
    }) ?? null
  );
}

/** The changed files with their lines; only that of `?file=` if the address has it. */
export async function changes(visit: Visit, project: Project, compared: Compared): Promise<Html> {
  const { diffs, isCut, address } = compared;
  if (diffs.length === 0) return html`<p class="quiet">No changed files.</p>`;
  const only = visit.query.file;
  const chosen = shownDiffs(visit, diffs);
  if (chosen.length === 0) throw pathNotFound();
  const files = await shownFiles(visit, project, compared, chosen);
  if (!files) {
    return html`<p class="quiet">These changes are too large to show.</p>
${chosen.map((diff) => html`<p><a href="${withView(visit, address, { file: diff.newPath })}">${diff.newPath}</a></p>`)}`;
  }
  const left = only ? 0 : diffs.length - chosen.length;
  return html`<div class="bar"><h2>${diffs.length} changed ${diffs.length === 1 ? 'file' : 'files'} ${lineCounts(sumOf(files))}</h2>
${choices('View', viewLinks(visit, address), isParallel(visit) ? 'Side by side' : 'Unified')}</div>
${only && html`<p class="quiet">Only one file is shown. <a href="${withView(visit, address)}">Show all files</a></p>`}
${isCut && html`<p class="quiet">The changes are too large: some files or lines are left out.</p>`}
${files.length > 1 && fileList(files)}
${files.map((file) => fileChange(visit, project, compared, file))}
${left > 0 && html`<p class="quiet">${left} more ${left === 1 ? 'file is' : 'files are'} not shown; ${mostFiles} is the limit.</p>`}`;
}

/** The rows of one file for a script, if the address asks for it. */
export async function changesFragment(
  visit: Visit,
  project: Project,
  compared: Compared,
): Promise<Answer | null> {
  if (visit.query.fragment !== '1') return null;
  const chosen = visit.query.file ? shownDiffs(visit, compared.diffs) : [];
  const files = await shownFiles(visit, project, compared, chosen);
  if (!files || files.length === 0) throw pathNotFound();
  return { fragment: html`${files.map((file) => fileBody(visit, project, compared, file))}` };
}

const viewLinks = (visit: Visit, address: string) => {
  const to = (query: Readonly<Record<string, string>>) =>
    `${address}?${new URLSearchParams({ ...onlyIn(visit), ...query })}`;
  return [
    ['Unified', to({ view: 'inline' })],
    ['Side by side', to({ view: 'parallel' })],
  ] as const;
};

const sumOf = (files: readonly ShownFile[]) => ({
  added: files.reduce((sum, { rendered }) => sum + rendered.added, 0),
  removed: files.reduce((sum, { rendered }) => sum + rendered.removed, 0),
});

/** Longer lists are collapsed. */
const longestOpenList = 20;

const fileList = (files: readonly ShownFile[]): Html =>
  html`<details class="change-list"${files.length <= longestOpenList && html` open`}><summary>Files</summary>
<ul class="files">${files.map(
    (file) =>
      html`<li>${icon(changeIcon(file.diff))}<a href="#${fileKey(file.diff)}">${file.diff.newPath}</a> ${lineCounts(file.rendered)}</li>`,
  )}</ul></details>`;
