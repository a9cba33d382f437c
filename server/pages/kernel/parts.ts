import { type Html, html, type Shown } from './html.ts';
import { type IconName, icon } from './icons.ts';
import type { Answer, Visit } from './page.ts';

/** An error message above a form; nothing if `text` is null. */
export const alert = (text: string | null): Html | null =>
  text === null ? null : html`<p class="alert" role="alert">${text}</p>`;

export const notice = (text: Shown): Html => html`<p class="notice" role="status">${text}</p>`;

/** Plain text as paragraphs, split at empty lines. */
export const paragraphs = (text: string): Html =>
  html`${text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p class="lines">${part.trim()}</p>`)}`;

interface Action {
  /** The form's target, and the label of its button. */
  readonly address: string;
  readonly label: string;
  readonly icon?: IconName;
  /** The object of the action, for screen readers. */
  readonly about?: string;
  readonly look?: 'danger' | 'plain' | 'small' | 'small danger' | 'primary';
  /** Hidden fields. */
  readonly fields?: Html;
}

/** A button in a form with an anti-forgery token. */
export const actionForm = (
  { formToken }: Visit,
  { address, label, icon: symbol, about, look, fields }: Action,
): Html =>
  html`<form method="post" action="${address}">${formToken}${fields}<button${
    look && html` class="${look}"`
  }${about && html` aria-label="${label} ${about}"`}>${symbol && icon(symbol)}${label}</button></form>`;

/** A collapsed form with a warning, for actions that cannot be undone. */
export const confirmedForm = (visit: Visit, action: Action, warning: Shown): Html =>
  html`<details class="confirm">
<summary>${action.label}</summary>
<div><p>${warning}</p>
${actionForm(visit, { look: 'danger', ...action })}</div>
</details>`;

/** An icon with the visibility of a project or group. */
export const visibilityMark = (visibility: string): Html =>
  html`<span class="badge">${icon(visibilityIcons[visibility] ?? 'globe')}${visibility}</span>`;

const visibilityIcons: Readonly<Record<string, IconName>> = {
  private: 'lock',
  internal: 'shield',
  public: 'globe',
};

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

/** What a page shows where a list is empty, with the next step. */
export const emptyState = (title: string, text: Shown, action: Html | null = null): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action && html`<p>${action}</p>`}</div>`;

/** A button that opens a list of links and forms below it. */
export const menu = (label: Shown, content: Shown, about?: string): Html =>
  html`<details class="menu"><summary${about && html` aria-label="${about}"`}>${label}</summary>
<div class="menu-content">${content}</div></details>`;

/** The redirect after a form was saved; the page confirms it with `savedNotice`. */
export const saved = (address: string): Answer => ({ redirect: `${address}?saved=1` });

export const savedNotice = ({ query }: Visit): Html | null =>
  query.saved === '1' ? notice('Your changes were saved.') : null;
