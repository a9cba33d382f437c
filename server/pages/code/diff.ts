import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';

export const diffFields = graphql(`
  fragment BrowsedDiffFields on Diff { oldPath newPath isNew isRenamed isDeleted diff }
`);

type Diff = ResultOf<typeof diffFields>;

/** Limits on a diff in a page. */
const mostFiles = 200;
const mostText = 512 * 1024;
const mostLines = 10_000;

export function changes(diffs: readonly Diff[]): Html {
  if (diffs.length === 0) return html`<p class="quiet">No changed files.</p>`;
  let [text, lines] = [0, 0];
  const shown = diffs.slice(0, mostFiles).map((diff, place) => {
    text += diff.diff.length;
    // diffs beyond the limit can be megabytes: their lines are not counted
    if (text <= mostText) lines += diff.diff.split('\n').length;
    return file(diff, place, text <= mostText && lines <= mostLines);
  });
  const left = diffs.length - shown.length;
  return html`<h2>${diffs.length} changed ${diffs.length === 1 ? 'file' : 'files'}</h2>${shown}
${left > 0 && html`<p class="quiet">${left} more ${left === 1 ? 'file is' : 'files are'} not shown.</p>`}`;
}

const file = (diff: Diff, place: number, isShown: boolean): Html => {
  const { oldPath, newPath, isNew, isRenamed, isDeleted } = diff;
  const became = isNew ? 'new' : isDeleted ? 'deleted' : isRenamed ? 'renamed' : null;
  return html`<section class="change" aria-labelledby="change-${place}">
<h3 id="change-${place}">${isRenamed && html`${oldPath} → `}${newPath}${became && html` <span class="badge">${became}</span>`}</h3>
${body(diff.diff, isShown)}
</section>`;
};

function body(text: string, isShown: boolean): Html {
  if (text === '') return html`<p class="quiet">No changed lines, or a binary file.</p>`;
  if (!isShown) return html`<p class="quiet">This diff is too large to show.</p>`;
  // the first two lines repeat the file name
  const lines = text
    .replace(/^--- .*\n\+\+\+ .*\n/, '')
    .replace(/\n$/, '')
    .split('\n');
  return html`<pre class="diff" tabindex="0"><code>${lines.map(lineOf)}</code></pre>`;
}

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

function lineOf(line: string): Html {
  const kind = kinds[line.slice(0, 1)];
  return html`<span${kind && html` class="${kind}"`}>${line}
</span>`;
}
