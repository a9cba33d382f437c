import { invalid } from '../../../schema/kernel/errors.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { pager } from '../kernel/listing.ts';
import type { Answer, ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, alert, shownOnce, table } from '../kernel/parts.ts';
import { day, isDay, when } from '../kernel/times.ts';
import { scopeBoxes, scopeList, tickedScopes } from './scopes.ts';

/** What a form of a new token has, as it was typed. */
export interface TokenInput {
  readonly name: string;
  readonly scopes: string[];
  /** The day at which the token expires, as `YYYY-MM-DD`; empty for never. */
  readonly day: string;
}

/** The result of a form of a new token: its values and errors, or the new secret. */
export interface TokenOutcome {
  readonly status?: number;
  readonly input?: TokenInput;
  readonly fault?: Fault;
  readonly shown?: Html;
}

/** Where the tokens of one kind are, and what each of their scopes allows. */
export interface TokenKind {
  /** The address to which the form is sent, without the prefix of the service. */
  readonly path: string;
  readonly scopes: ReadonlyMap<string, string>;
}

const tokenForm = (
  { url, formToken }: Visit,
  { path, scopes }: TokenKind,
  { input, fault }: TokenOutcome,
): Html => html`
${alert(fault?.text ?? null)}
<form method="post" action="${url(path)}" class="narrow">
${formToken}
${field({
  name: 'name',
  label: 'Name',
  value: input?.name ?? '',
  isRequired: true,
  fault: faultText(fault?.fields ?? {}, 'name', 'Name'),
})}
${field({
  name: 'expires_at',
  label: 'Expires',
  type: 'date',
  value: input?.day ?? '',
  hint: 'At 00:00 UTC on this day. Without a date, the token does not expire.',
  fault: faultText(fault?.fields ?? {}, 'expiresAt', 'Expiry date'),
})}
${scopeBoxes(scopes, input?.scopes ?? [], faultText(fault?.fields ?? {}, 'scopes', 'Scopes'))}
<button>Create token</button>
</form>`;

interface NewToken {
  readonly name: string;
  readonly scopes: string[];
  readonly expiresAt: string | null;
}

/** Creates the token of the form, whose secret `create` gives; shows the page with it or the form again. */
export function createToken(
  visit: Visit,
  scopes: TokenKind['scopes'],
  create: (token: NewToken) => Promise<string>,
  page: (outcome: TokenOutcome) => Promise<ShownPage>,
): Promise<Answer> {
  const { form } = visit;
  const input: TokenInput = {
    name: form.name ?? '',
    day: form.expires_at ?? '',
    scopes: tickedScopes(scopes, form),
  };
  const work = async () => {
    if (input.day !== '' && !isDay(input.day)) {
      throw invalid({ expiresAt: ['is not a valid date'] });
    }
    const secret = await create({
      name: input.name,
      scopes: input.scopes,
      expiresAt: input.day || null,
    });
    return page({ status: 201, shown: shownOnce('The new token', secret) });
  };
  return orFault(visit, work, (fault) => page({ input, fault }));
}

interface Token {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** Active tokens, each with a button that revokes it. */
const tokenTable = (
  visit: Visit,
  { path }: Pick<TokenKind, 'path'>,
  tokens: readonly Token[],
): Html =>
  table(
    'Active tokens',
    'There are no active tokens.',
    ['Name', 'Scopes', 'Created', 'Expires', ''],
    tokens.map(({ id, name, scopes, createdAt, expiresAt }) => [
      name,
      scopeList(scopes),
      when(createdAt),
      expiresAt === null ? 'Never' : day(expiresAt),
      actionForm(visit, {
        address: visit.url(`${path}/${id}/revoke`),
        label: 'Revoke',
        about: name,
        look: 'danger',
      }),
    ]),
  );

interface TokenPage {
  readonly page: number;
  readonly total: number;
  readonly nodes: readonly Token[];
}

/** The form of a new token, and a page of the active ones. */
export const tokenSections = (
  visit: Visit,
  kind: TokenKind,
  outcome: TokenOutcome,
  { page, total, nodes }: TokenPage,
): Html => html`<section aria-labelledby="new-token">
<h2 id="new-token">New token</h2>
${tokenForm(visit, kind, outcome)}
</section>
<section aria-labelledby="active-tokens">
<h2 id="active-tokens">Active tokens</h2>
${tokenTable(visit, kind, nodes)}
${pager({ address: visit.url(kind.path), page, total })}
</section>`;
