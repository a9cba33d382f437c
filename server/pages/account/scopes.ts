import { type Html, html } from '../kernel/html.ts';

/** What each scope of a token allows. */
export const tokenScopes: ReadonlyMap<string, string> = new Map([
  ['api', 'Use the API with all your permissions'],
  ['read_user', 'Read your profile'],
  ['openid', 'Identify you'],
]);

/** What each scope of a token allows with which an administrator acts as another user. */
export const impersonationScopes: ReadonlyMap<string, string> = new Map([
  ['api', 'Use the API with all permissions of the user'],
  ['read_user', 'Read the profile of the user'],
  ['openid', 'Identify the user'],
]);

/** What each scope of an application allows. */
export const applicationScopes: ReadonlyMap<string, string> = new Map([
  ...tokenScopes,
  ['openid', 'Identify you, and read your account: name, e-mail address, avatar and groups'],
  ['profile', 'Read your name, avatar and groups'],
  ['email', 'Read your e-mail address'],
]);

/** A checkbox for each scope; those in `chosen` are checked. */
export const scopeBoxes = (
  scopes: ReadonlyMap<string, string>,
  chosen: readonly string[],
  fault: string | null,
): Html => html`
<fieldset${fault ? html` aria-describedby="scopes-fault"` : null}>
<legend>Scopes</legend>
${[...scopes].map(
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
export const tickedScopes = (
  scopes: ReadonlyMap<string, string>,
  form: Readonly<Record<string, string>>,
): string[] => [...scopes.keys()].filter((scope) => form[`scope_${scope}`] !== undefined);

/** Scopes in one line. */
export const scopeList = (scopes: readonly string[]): Html =>
  html`${scopes.map((scope, place) => html`${place > 0 ? ', ' : ''}<code>${scope}</code>`)}`;
