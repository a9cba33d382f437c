import { graphql } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Page, Visit } from '../kernel/page.ts';

/** Characters; no name is longer. */
const longest = 255;

const Similar = graphql(`
  query SuggestedUsers($search: String!) {
    users(filter: { search: $search, isActive: true }, perPage: 10) { nodes { username name } }
  }
`);

const ByAddress = graphql(`
  query SuggestedByAddress($address: String!) {
    userByEmail(email: $address) { username name state }
  }
`);

/** Active users whose name or username contains the text, or who have the verified address. */
export async function suggestedUsers(visit: Visit, text: string) {
  const search = text.trim().replace(/^@/, '');
  if (search === '' || search.length > longest) return [];
  if (search.includes('@')) {
    const { userByEmail: user } = await visit.ask(ByAddress, { address: search });
    return user?.state === 'active' ? [user] : [];
  }
  return (await visit.ask(Similar, { search })).users.nodes;
}

/** Users as the options of a list of suggestions. */
export const userOptions = (
  users: readonly { readonly username: string; readonly name: string }[],
): Html =>
  html`${users.map(({ username, name }) => html`<option value="${username}">${name}</option>`)}`;

/** Suggestions for a script, while a username is entered. */
export const suggestionPages: readonly Page[] = [
  {
    method: 'get',
    path: '/autocomplete/users',
    access: 'signed in',
    answer: async (visit) => ({
      fragment: userOptions(await suggestedUsers(visit, visit.query.search ?? '')),
    }),
  },
];
