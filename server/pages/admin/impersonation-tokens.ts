import { graphql } from '../../../schema/client/graphql.ts';
import {
  createToken,
  type TokenKind,
  type TokenOutcome,
  tokenSections,
} from '../account/access-tokens.ts';
import { impersonationScopes } from '../account/scopes.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { html } from '../kernel/html.ts';
import { pageOf, perPage } from '../kernel/listing.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { adminGet, adminPost } from './admin-pages.ts';

const Tokens = graphql(`
  query ActiveImpersonationTokens($userId: Int!, $page: Int!, $perPage: Int!) {
    userById(id: $userId) {
      name username
      impersonationTokens(filter: { state: active }, page: $page, perPage: $perPage) {
        nodes { id name scopes createdAt expiresAt }
        total
      }
    }
  }
`);

const Create = graphql(`
  mutation AdminCreateImpersonationToken(
    $userId: Int!, $name: String!, $scopes: [String!]!, $expiresAt: Date
  ) {
    createImpersonationToken(
      userId: $userId, name: $name, scopes: $scopes, expiresAt: $expiresAt
    ) { token }
  }
`);

const Revoke = graphql(`
  mutation AdminRevokeImpersonationToken($userId: Int!, $id: Int!) {
    revokeImpersonationToken(userId: $userId, id: $id) { id }
  }
`);

const idOf = ({ params }: Visit): number => numberIn(params.id ?? '');

const kindOf = (userId: number): TokenKind => ({
  path: `/admin/users/${userId}/impersonation_tokens`,
  scopes: impersonationScopes,
});

async function tokensPage(visit: Visit, outcome: TokenOutcome = {}): Promise<ShownPage> {
  const userId = idOf(visit);
  const kind = kindOf(userId);
  const page = pageOf(visit);
  const { userById: user } = await visit.ask(Tokens, { userId, page, perPage });
  const { nodes, total } = user.impersonationTokens ?? { nodes: [], total: 0 };
  return adminPage(visit, {
    section: '/admin/users',
    title: `Impersonation tokens of ${user.name}`,
    status: outcome.fault?.status ?? outcome.status,
    main: html`${outcome.shown}
<p>A program with such a token acts as <a href="${visit.url(`/admin/users/${userId}`)}">@${user.username}</a>,
within its scopes. The user does not see the token.</p>
${tokenSections(visit, kind, outcome, { page, total, nodes })}`,
  });
}

const create = (visit: Visit): Promise<Answer> =>
  createToken(
    visit,
    impersonationScopes,
    async (token) =>
      (await visit.ask(Create, { ...token, userId: idOf(visit) })).createImpersonationToken.token,
    (outcome) => tokensPage(visit, outcome),
  );

async function revoke(visit: Visit): Promise<Answer> {
  const userId = idOf(visit);
  await visit.ask(Revoke, { userId, id: numberIn(visit.params.token ?? '') });
  return saved(visit.url(kindOf(userId).path));
}

const root = '/admin/users/:id/impersonation_tokens';

/** The tokens with which administrators act as a user. */
export const impersonationTokenPages: readonly Page[] = [
  adminGet(root, (visit) => tokensPage(visit)),
  adminPost(root, create),
  adminPost(`${root}/:token/revoke`, revoke),
];
