import type { Fault } from './fault.ts';
import { faultText } from './form-faults.ts';
import { type Html, html } from './html.ts';
import type { Visit } from './page.ts';
import { alert, field } from './parts.ts';
import { scopeBoxes, tickedScopes } from './scopes.ts';

/** An application as its form shows it and as it was filled in. */
export interface ApplicationInput {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly isConfidential: boolean;
}

/** What the fields of the form say. */
export const applicationInput = ({ form }: Pick<Visit, 'form'>) => ({
  name: form.name ?? '',
  redirectUris: (form.redirect_uris ?? '').split(/\s+/).filter((uri) => uri !== ''),
  scopes: tickedScopes(form),
  isConfidential: form.is_confidential !== undefined,
});

interface Target {
  /** Where the form goes. */
  readonly action: string;
  readonly button: string;
}

/** The form in which an application is registered and changed. */
export const applicationForm = (
  { url, formToken }: Visit,
  { name, redirectUris, scopes, isConfidential }: ApplicationInput,
  fault: Fault | null,
  { action, button }: Target,
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
${addresses(redirectUris, faultText(fault?.fields ?? {}, 'redirect_uris', 'Redirect URI'))}
<p class="choice">
<input type="checkbox" id="is_confidential" name="is_confidential" value="1"${
  isConfidential ? html` checked` : null
} aria-describedby="is_confidential-hint">
<label for="is_confidential">Confidential</label>
<span class="hint" id="is_confidential-hint">It keeps its secret on a server of its own. Leave
this out for a program in the hands of its users: on a phone, a desktop, or in a page.</span>
</p>
${scopeBoxes(scopes, faultText(fault?.fields ?? {}, 'scopes', 'Scopes'))}
<button>${button}</button>
</form>`;

const addresses = (uris: readonly string[], fault: string | null): Html => html`
<p class="field">
<label for="redirect_uris">Redirect URIs</label>
<textarea id="redirect_uris" name="redirect_uris" rows="3" required spellcheck="false"
 aria-describedby="redirect_uris-hint${fault ? ' redirect_uris-fault' : ''}"${
   fault ? html` aria-invalid="true"` : null
}>
${uris.join('\n')}</textarea>
<span class="hint" id="redirect_uris-hint">One on each line.</span>
${fault ? html`<span class="fault" id="redirect_uris-fault">${fault}</span>` : null}
</p>`;
