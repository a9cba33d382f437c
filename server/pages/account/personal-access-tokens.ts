import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { numberOf } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, passwordField } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, alert, shownOnce, table } from '../kernel/parts.ts';
import { missing } from '../kernel/refused.ts';
import { day, isDay, when } from '../kernel/times.ts';
import { backToProfile } from './profile-parts.ts';
import { scopeBoxes, scopeList, tickedScopes, tokenScopes } from './scopes.ts';

const Tokens = graphql(`
  query ActiveTokens($page: Int!) {
    viewer {
      personalAccessTokens(filter: { state: active }, perPage: 50, page: $page) {
        nodes { id name scopes createdAt expiresAt }
        total
      }
    }
  }
`);

const Create = graphql(`
  mutation CreateToken($name: String!, $scopes: [String!]!, $expiresAt: Date) {
    createPersonalAccessToken(name: $name, scopes: $scopes, expiresAt: $expiresAt) { token }
  }
`);

const Revoke = graphql(`
  mutation RevokeToken($id: Int!) { revokePersonalAccessToken(id: $id) { id } }
`);

const ResetPrivate = graphql(`
  mutation ResetPrivateToken($password: String!) { resetPrivateToken(password: $password) }
`);

const root = '/profile/personal_access_tokens';
const perPage = 50;

/** The result of a form: its values and errors, or the new secret. */
interface Outcome {
  readonly status?: number;
  readonly input?: { readonly name: string; readonly day: string; readonly scopes: string[] };
  readonly fault?: Fault;
  /** The error of the form that resets the private token. */
  readonly resetFault?: Fault;
  readonly shown?: Html;
}

async function tokensPage(visit: Visit, outcome: Outcome = {}): Promise<ShownPage> {
  const page = Math.max(numberOf(visit.query.page) ?? 1, 1);
  const { viewer } = await visit.ask(Tokens, { page });
  const { nodes, total } = viewer.personalAccessTokens ?? { nodes: [], total: 0 };
  return {
    title: 'Personal access tokens',
    status: outcome.fault?.status ?? outcome.resetFault?.status ?? outcome.status ?? 200,
    main: html`${backToProfile(visit)}
<h1>Personal access tokens</h1>
${outcome.shown}
<p>A token gives a program access to your account, limited to its scopes. For git over HTTP, use it in
place of your password, with or without two-factor authentication.</p>
<section aria-labelledby="new-token">
<h2 id="new-token">New token</h2>
${tokenForm(visit, outcome)}
</section>
<section aria-labelledby="active-tokens">
<h2 id="active-tokens">Active tokens</h2>
${tokenTable(visit, nodes)}
${pager(page, total, visit)}
</section>
<section aria-labelledby="private-token">
<h2 id="private-token">Private token</h2>
<p>It has full access to the API. <code>POST /session</code> returns it.</p>
${resetForm(visit, outcome.resetFault ?? null)}
</section>`,
  };
}

const tokenForm = ({ url, formToken }: Visit, { input, fault }: Outcome): Html => html`
${alert(fault?.text ?? null)}
<form method="post" action="${url(root)}" class="narrow">
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
${scopeBoxes(tokenScopes, input?.scopes ?? [], faultText(fault?.fields ?? {}, 'scopes', 'Scopes'))}
<button>Create token</button>
</form>`;

const resetForm = ({ url, formToken }: Visit, fault: Fault | null): Html => html`
<p>After a reset, the current private token stops working immediately.</p>
${alert(fault?.text ?? null)}
<form method="post" action="${url('/profile/reset_private_token')}" class="narrow">
${formToken}
${passwordField({
  name: 'password',
  label: 'Current password',
  autocomplete: 'current-password',
  fault: faultText(fault?.fields ?? {}, 'password', 'Current password'),
})}
<button class="danger">Reset private token</button>
</form>`;

type Token = NonNullable<
  ResultOf<typeof Tokens>['viewer']['personalAccessTokens']
>['nodes'][number];

const tokenTable = (visit: Visit, tokens: readonly Token[]): Html =>
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
        address: visit.url(`${root}/${id}/revoke`),
        label: 'Revoke',
        about: name,
        look: 'danger',
      }),
    ]),
  );

function pager(page: number, total: number, { url }: Visit): Html | null {
  if (total <= perPage && page === 1) return null;
  const to = (other: number, text: string) =>
    html`<a href="${url(`${root}?page=${other}`)}">${text}</a> `;
  return html`<nav aria-label="Pages">${page > 1 && to(page - 1, 'Previous')}${
    page * perPage < total && to(page + 1, 'Next')
  }</nav>`;
}

function create(visit: Visit): Promise<Answer> | Answer {
  const { form } = visit;
  const expiresAt = form.expires_at ?? '';
  const input = { name: form.name ?? '', day: expiresAt, scopes: tickedScopes(tokenScopes, form) };
  const again = (fault: Fault) => tokensPage(visit, { input, fault });
  if (expiresAt !== '' && !isDay(expiresAt)) {
    return again({ status: 422, text: null, fields: { expiresAt: ['is not a valid date'] } });
  }
  return orFault(
    visit,
    async () => {
      const { createPersonalAccessToken: created } = await visit.ask(Create, {
        name: input.name,
        scopes: input.scopes,
        expiresAt: expiresAt || null,
      });
      return tokensPage(visit, { status: 201, shown: shownOnce('Your new token', created.token) });
    },
    again,
  );
}

async function revoke(visit: Visit): Promise<Answer> {
  const id = numberOf(visit.params.id);
  if (id === null) return missing;
  await visit.ask(Revoke, { id });
  return { redirect: visit.url(root) };
}

async function resetPrivate(visit: Visit): Promise<Answer> {
  const { password = '' } = visit.form;
  return orFault(
    visit,
    async () => {
      const { resetPrivateToken: token } = await visit.ask(ResetPrivate, { password });
      return tokensPage(visit, { shown: shownOnce('Your new private token', token) });
    },
    (resetFault) => tokensPage(visit, { resetFault }),
  );
}

const access = 'signed in';

/** The user's personal access tokens and private token. */
export const personalAccessTokenPages: readonly Page[] = [
  { method: 'get', path: root, access, answer: (visit) => tokensPage(visit) },
  { method: 'post', path: root, access, answer: create },
  { method: 'post', path: `${root}/:id/revoke`, access, answer: revoke },
  { method: 'post', path: '/profile/reset_private_token', access, answer: resetPrivate },
];
