import { graphql } from '../../../schema/client/graphql.ts';
import { profileMenu } from '../frame/profile-menu.ts';
import { numberOf } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { passwordField } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { pageOf, perPage } from '../kernel/listing.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert, shownOnce } from '../kernel/parts.ts';
import { missing } from '../kernel/refused.ts';
import { createToken, type TokenOutcome, tokenSections } from './access-tokens.ts';
import { tokenScopes } from './scopes.ts';

const Tokens = graphql(`
  query ActiveTokens($page: Int!, $perPage: Int!) {
    viewer {
      personalAccessTokens(filter: { state: active }, page: $page, perPage: $perPage) {
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

const kind = { path: root, scopes: tokenScopes };

interface Outcome extends TokenOutcome {
  /** The error of the form that resets the private token. */
  readonly resetFault?: Fault;
}

async function tokensPage(visit: Visit, outcome: Outcome = {}): Promise<ShownPage> {
  const page = pageOf(visit);
  const { viewer } = await visit.ask(Tokens, { page, perPage });
  const { nodes, total } = viewer.personalAccessTokens ?? { nodes: [], total: 0 };
  return {
    title: 'Personal access tokens',
    status: outcome.fault?.status ?? outcome.resetFault?.status ?? outcome.status ?? 200,
    main: html`${profileMenu(visit, root)}
<h1>Personal access tokens</h1>
${outcome.shown}
<p>A token gives a program access to your account, limited to its scopes. For git over HTTP, use it in
place of your password, with or without two-factor authentication.</p>
${tokenSections(visit, kind, outcome, { page, total, nodes })}
<section aria-labelledby="private-token">
<h2 id="private-token">Private token</h2>
<p>It has full access to the API. <code>POST /session</code> returns it.</p>
${resetForm(visit, outcome.resetFault ?? null)}
</section>`,
  };
}

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

const create = (visit: Visit): Promise<Answer> =>
  createToken(
    visit,
    tokenScopes,
    async (token) => (await visit.ask(Create, token)).createPersonalAccessToken.token,
    (outcome) => tokensPage(visit, outcome),
  );

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
