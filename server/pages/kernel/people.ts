import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from './encoded.ts';
import { type Html, html } from './html.ts';
import type { Visit } from './page.ts';

export const personFields = graphql(`fragment PersonFields on User { username name }`);

type Person = ResultOf<typeof personFields>;

/** A link to a user; a text for a deleted one. */
export const person = (visit: Visit, user: Person | null): Html =>
  user
    ? html`<a href="${visit.url(`/${encoded(user.username)}`)}">${user.name}</a>`
    : html`<span class="quiet">deleted user</span>`;
