import { type Html, html, type Shown } from './html.ts';
import type { Visit } from './page.ts';

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

/** A table that scrolls sideways in narrow windows, also by keyboard. */
export const wide = (label: string, table: Html): Html => html`
<div class="wide" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** A record's id from an address; null if it is not a valid id. */
export const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
