import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { applicationScopes, scopeBoxes, tickedScopes } from './scopes.ts';

/** The values of the application form, as they were typed. */
export interface ApplicationInput {
  readonly name: string;
  /** One per line. */
  readonly redirectUris: string;
  readonly scopes: readonly string[];
  readonly isConfidential: boolean;
}

/** Reads the values from a submitted form. */
export const applicationInput = ({ form }: Pick<Visit, 'form'>) => ({
  name: form.name ?? '',
  redirectUris: form.redirect_uris ?? '',
  scopes: tickedScopes(applicationScopes, form),
  isConfidential: form.is_confidential !== undefined,
});

/** The variables of the mutations. */
export const applicationVariables = <Input extends ApplicationInput>(input: Input) => ({
  ...input,
  redirectUris: input.redirectUris.split(/\s+/).filter((uri) => uri !== ''),
});

export interface FormTarget {
  /** The address that the form is sent to. */
  readonly action: string;
  readonly button: string;
}

/** The form to register or edit an application. */
export const applicationForm = (
  { url, formToken }: Visit,
  { name, redirectUris, scopes, isConfidential }: ApplicationInput,
  fault: Fault | null,
  { action, button }: FormTarget,
): Html => html`
${alert(fault?.text ?? null)}
<form method="post" action="${url(action)}" class="narrow">
${formToken}
${field({
  name: 'name',
  label: 'Name',
  value: name,
  isRequired: true,
  fault: faultText(fault?.fields ?? {}, 'name', 'Name'),
})}
${addresses(redirectUris, faultText(fault?.fields ?? {}, 'redirectUris', 'Redirect URI'))}
<p class="choice">
<input type="checkbox" id="is_confidential" name="is_confidential" value="1"${
  isConfidential ? html` checked` : null
} aria-describedby="is_confidential-hint">
<label for="is_confidential">Confidential</label>
<span class="hint" id="is_confidential-hint">The application keeps its secret on a server. Do not
select this for mobile, desktop or single-page applications.</span>
</p>
${scopeBoxes(applicationScopes, scopes, faultText(fault?.fields ?? {}, 'scopes', 'Scopes'))}
<button>${button}</button>
</form>`;

const addresses = (uris: string, fault: string | null): Html => html`
<p class="field">
<label for="redirect_uris">Redirect URIs</label>
<textarea id="redirect_uris" name="redirect_uris" rows="3" required spellcheck="false"
 aria-describedby="redirect_uris-hint${fault ? ' redirect_uris-fault' : ''}"${
   fault ? html` aria-invalid="true"` : null
}>
${uris}</textarea>
<span class="hint" id="redirect_uris-hint">One per line.</span>
${fault ? html`<span class="fault" id="redirect_uris-fault">${fault}</span>` : null}
</p>`;
