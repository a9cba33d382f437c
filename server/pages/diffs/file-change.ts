import { isNamedAsPicture } from '../code/raw.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html, type Shown, trusted } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import { bytes } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { type Compared, fileKey, isParallel, withView } from './compared.ts';
import type { Diff } from './fields.ts';
import type { RenderedFile } from './render-diffs.ts';

/** A changed file as a page shows it. */
export interface ShownFile {
  readonly diff: Diff;
  readonly rendered: RenderedFile;
  /** Bytes by the ids of contents, of binary files. */
  readonly sizes: ReadonlyMap<string, number>;
}

export const isBinary = ({ diff }: Diff): boolean => diff.startsWith('Binary files ');

export const changeIcon = ({ isNew, isDeleted, isRenamed }: Diff): IconName =>
  isNew ? 'diff-added' : isDeleted ? 'diff-removed' : isRenamed ? 'diff-renamed' : 'diff-modified';

/** The numbers of added and removed lines. */
export const lineCounts = ({
  added,
  removed,
}: Pick<RenderedFile, 'added' | 'removed'>): Html | null =>
  added + removed === 0
    ? null
    : html`<span class="counts"><span class="plus">+${added}</span> <span class="minus">−${removed}</span></span>`;

/** A changed file with its lines; the heading collapses it. */
export function fileChange(
  visit: Visit,
  project: Project,
  compared: Compared,
  file: ShownFile,
): Html {
  const { diff, rendered } = file;
  const { newPath, isDeleted } = diff;
  const key = fileKey(diff);
  const isOpen = rendered.leftOut === null;
  const alone = withView(visit, compared.address, { file: newPath });
  const sha = isDeleted ? compared.oldSha : compared.newSha;
  return html`<details class="change" id="${key}"${isOpen && html` open`}${
    !isOpen &&
    html` data-load="${withView(visit, compared.address, { file: newPath, fragment: '1' })}"`
  }>
<summary><h3>${nameOf(diff)}</h3>${marksOf(diff)} ${lineCounts(rendered)}</summary>
${
  sha !== null &&
  !compared.isElsewhere &&
  diff.bMode !== submoduleMode &&
  html`<p class="view-file"><a href="${addressIn(visit, project, 'blob', sha, newPath)}" aria-label="View file ${newPath}">View file</a></p>`
}
${
  isOpen
    ? fileBody(visit, project, compared, file)
    : html`<p class="quiet">This diff is too large to show. <a href="${alone}">Show it alone</a></p>`
}
</details>`;
}

const submoduleMode = '160000';

const nameOf = ({ oldPath, newPath, isRenamed }: Diff): Html =>
  html`${isRenamed && html`${oldPath} → `}${newPath}`;

function marksOf({ isNew, isDeleted, isRenamed, similarity, aMode, bMode }: Diff): Shown {
  const isMoved = !isNew && !isDeleted && aMode !== bMode;
  const texts = [
    isNew && 'new',
    isDeleted && 'deleted',
    isRenamed && `renamed, ${similarity ?? 0}% similar`,
    isMoved && `mode ${aMode} → ${bMode}`,
  ];
  return texts.map((text) => text !== false && html` <span class="badge">${text}</span>`);
}

/** The lines of a file, or what stands for them. */
export function fileBody(
  visit: Visit,
  project: Project,
  compared: Compared,
  { diff, rendered, sizes }: ShownFile,
): Html {
  if (isBinary(diff) && compared.isElsewhere) return html`<p class="quiet">Binary file</p>`;
  if (isBinary(diff)) return binary(visit, project, compared, { diff, sizes });
  if (diff.diff === '') return html`<p class="quiet">${withoutLines(diff)}</p>`;
  const { pieces, keys } = rendered;
  const below = compared.below?.get(fileKey(diff));
  const columns = isParallel(visit) ? 4 : 3;
  const rows = pieces.map((piece, place) => {
    const content = below?.get(keys[place] ?? '');
    return html`${trusted(piece)}${content && html`<tr class="below"><td colspan="${columns}">${content}</td></tr>`}`;
  });
  return html`<div class="wide" role="region" aria-label="Changes of ${diff.newPath}" tabindex="0">
<table class="${isParallel(visit) ? 'diff parallel' : 'diff'}"><tbody>
${rows}</tbody></table></div>
${rendered.isCut && html`<p class="quiet">Only the first lines of this diff are shown.</p>`}`;
}

function withoutLines({ isNew, isDeleted, isRenamed, oldBlob, newBlob }: Diff): string {
  if (oldBlob !== null && oldBlob === newBlob) {
    return isRenamed ? 'The file was renamed without changes.' : 'Only the mode was changed.';
  }
  return isNew || isDeleted
    ? 'The file is empty, or too large to show.'
    : 'This diff is too large to show.';
}

/** A binary file by the sizes of both versions, and images side by side. */
function binary(
  visit: Visit,
  project: Project,
  { oldSha, newSha }: Compared,
  { diff, sizes }: Pick<ShownFile, 'diff' | 'sizes'>,
): Html {
  const { oldPath, newPath, isNew, isDeleted, oldBlob, newBlob } = diff;
  const versions = [
    !isNew && oldSha !== null && (['Before', oldSha, oldPath, oldBlob] as const),
    !isDeleted && (['After', newSha, newPath, newBlob] as const),
  ];
  return html`<div class="versions">${versions.map((version) => {
    if (!version) return null;
    const [name, sha, path, blob] = version;
    const raw = addressIn(visit, project, 'raw', sha, path);
    const size = sizes.get(blob ?? '');
    return html`<figure><figcaption>${name}${size !== undefined && html` · ${bytes(size)}`} · <a href="${raw}" aria-label="Raw file ${name.toLowerCase()} the change">Raw</a></figcaption>${
      isNamedAsPicture(path)
        ? html`<img class="picture" src="${raw}" alt="${path} ${name.toLowerCase()} the change" loading="lazy">`
        : html`<p class="quiet">${icon('file-binary')} Binary file</p>`
    }</figure>`;
  })}</div>`;
}
