import { type Html, html, type Shown } from './html.ts';
import type { Visit } from './page.ts';

/** The way back to the profile, above the pages below it. */
export const backToProfile = ({ url }: Pick<Visit, 'url'>, between: Shown = null): Html => html`
<nav aria-label="Breadcrumb" class="quiet"><a href="${url('/profile')}">Profile</a>${
  between && html` / ${between}`
}</nav>`;

/** A day, from an instant or from a day itself. */
export const day = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;

/** A secret that is told this once, in a field, from which it is easily copied. */
export const shownOnce = (label: string, secret: string): Html => html`
<div class="notice">
<p class="field">
<label for="shown-once">${label}</label>
<textarea id="shown-once" class="code" rows="2" readonly spellcheck="false" autocomplete="off"
 aria-describedby="shown-once-hint">
${secret}</textarea>
<span id="shown-once-hint">Copy it now: it is shown this once.</span>
</p>
</div>`;

/** A table that is wider than a narrow window is moved sideways, by the keyboard, too. */
export const wide = (label: string, table: Html): Html => html`
<div class="wide" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** The number that an address names; null when it is none that a record could have. */
export const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
