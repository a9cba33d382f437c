import { type Html, html } from './html.ts';

/** What each scope allows. */
export const scopeWords: ReadonlyMap<string, string> = new Map([
  ['api', 'Use the API with all your permissions'],
  ['read_user', 'Read your profile'],
  ['openid', 'Identify you'],
]);

/** A checkbox for each scope; those in `chosen` are checked. */
export const scopeBoxes = (chosen: readonly string[], fault: string | null): Html => html`
<fieldset${fault ? html` aria-describedby="scopes-fault"` : null}>
<legend>Scopes</legend>
${[...scopeWords].map(
  ([scope, words]) => html`<p class="choice">
<input type="checkbox" id="scope-${scope}" name="scope_${scope}" value="1"${
    chosen.includes(scope) ? html` checked` : null
  }>
<label for="scope-${scope}"><code>${scope}</code> <span class="quiet">${words}</span></label>
</p>`,
)}
${fault ? html`<p class="fault" id="scopes-fault">${fault}</p>` : null}
</fieldset>`;

/** The scopes whose checkboxes were checked. */
export const tickedScopes = (form: Readonly<Record<string, string>>): string[] =>
  [...scopeWords.keys()].filter((scope) => form[`scope_${scope}`] !== undefined);

/** Scopes in one line. */
export const scopeList = (scopes: readonly string[]): Html =>
  html`${scopes.map((scope, place) => html`${place > 0 ? ', ' : ''}<code>${scope}</code>`)}`;
