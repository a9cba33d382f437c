import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { avatar } from './avatar.ts';
import { type Html, html } from './html.ts';
import type { Visit } from './page.ts';

export const personFields = graphql(`fragment PersonFields on User { username name avatarUrl }`);

type Person = ResultOf<typeof personFields>;

/** The name of a commit's author or committer; a malformed commit has none. */
export const authorName = (name: string): string => (name.trim() === '' ? 'Unknown author' : name);

/** A link to a user with their picture; a text for a deleted one. */
export const person = (visit: Visit, user: Person | null): Html =>
  user
    ? html`<a class="person" href="${visit.url(`/${encoded(user.username)}`)}">${avatar(user)} ${user.name}</a>`
    : html`<span class="quiet">deleted user</span>`;

/** A link to a user that shows only their picture. */
export const face = (visit: Visit, user: Person): Html =>
  html`<a href="${visit.url(`/${encoded(user.username)}`)}" title="${user.name}" aria-label="${user.name}">${avatar(user)}</a>`;
