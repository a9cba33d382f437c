import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { isMarkdown } from './content.ts';
import type { Location } from './location.ts';

type Place = Pick<Location, 'ref' | 'path' | 'commitId' | 'isBranch'>;

/** Beside the path of a file or folder: finding files, and a link that stays the same. */
export const fileButtons = (
  visit: Visit,
  project: Project,
  { ref, path, commitId }: Place,
  word: string,
): Html => html`<a class="button small" href="${addressIn(visit, project, 'find_file', ref)}" data-shortcut="t">${icon('search')}Find file</a>
<a class="button small" href="${addressIn(visit, project, word, commitId, path)}" data-shortcut="y" title="Link to this commit (y)">${icon('link')}Permalink</a>`;

interface Shown {
  readonly facts: readonly string[];
  /** Whether Markdown is rendered; absent: the page does not show the file itself. */
  readonly isRendered?: boolean;
}

/** Above the lines of a file: facts about it, and its other pages. */
export function fileBar(
  visit: Visit,
  project: Project,
  { ref, path, isBranch }: Place,
  { facts, isRendered }: Shown,
): Html {
  const to = (word: string) => addressIn(visit, project, word, ref, path);
  const button = (address: string, label: string) =>
    html`<a class="button small" href="${address}">${label}</a>`;
  return html`<div class="bar file-bar"><span class="quiet">${facts.join(' · ')}</span>
<div class="row">${isMarkdown(path) && button(isRendered ? `${to('blob')}?plain=1` : to('blob'), isRendered ? 'Source' : 'Rendered')}
${
  isRendered === undefined &&
  html`${!isMarkdown(path) && button(to('blob'), 'File')}
${button(to('commits'), 'History')}`
}${isRendered !== undefined && button(to('blame'), 'Blame')}
${
  isRendered !== undefined &&
  isBranch &&
  project.access.canPush &&
  html`${button(to('edit'), 'Edit')}
${button(to('delete'), 'Delete')}`
}
${button(to('raw'), 'Raw')}
<a class="button small" href="${to('raw')}" download>${icon('download')}Download</a></div></div>`;
}
