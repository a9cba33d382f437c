import { type Html, html, type Shown } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

/** The breadcrumb of the pages below the profile. */
export const backToProfile = ({ url }: Pick<Visit, 'url'>, between: Shown = null): Html => html`
<nav aria-label="Breadcrumb" class="quiet"><a href="${url('/profile')}">Profile</a>${
  between && html` / ${between}`
}</nav>`;

/** The day of a timestamp or a date. */
export const day = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;

/** A secret that is shown only once, in a field to copy it from. */
export const shownOnce = (label: string, secret: string): Html => html`
<div class="notice">
<p class="field">
<label for="shown-once">${label}</label>
<textarea id="shown-once" class="code" rows="2" readonly spellcheck="false" autocomplete="off"
 aria-describedby="shown-once-hint">
${secret}</textarea>
<span id="shown-once-hint">Copy it now: it is not shown again.</span>
</p>
</div>`;

/**
 * A table that scrolls sideways in narrow windows, also by keyboard; `none` stands for an empty one.
 * The first cell of a row is its header; a column without a heading holds buttons.
 */
export const table = (
  label: string,
  none: string,
  headings: readonly string[],
  rows: readonly (readonly Shown[])[],
): Html =>
  rows.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`
<div class="wide" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${headings.map((heading) =>
        heading === '' ? html`<td></td>` : html`<th scope="col">${heading}</th>`,
      )}</tr></thead>
<tbody>
${rows.map(
  ([header, ...cells]) => html`<tr>
<th scope="row">${header}</th>
${cells.map((cell) => html`<td>${cell}</td>`)}
</tr>`,
)}
</tbody>
</table></div>`;

/** A collapsed form with a warning, for actions that cannot be undone. */
export const confirmedAction = (
  { url, formToken }: Visit,
  path: string,
  label: string,
  warning: string,
): Html =>
  html`<details>
<summary>${label}</summary>
<form method="post" action="${url(path)}">
${formToken}
<p>${warning}</p>
<button class="danger">${label}</button>
</form>
</details>`;

/** A record's id from an address; null if it is not a valid id. */
export const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
