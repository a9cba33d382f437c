import { graphql } from '../../../schema/client/graphql.ts';
import { invalid } from '../../../schema/kernel/errors.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { isDay } from '../kernel/times.ts';
import type { Failed } from './failed.ts';
import type { MemberPlace } from './place.ts';
import { suggestedUsers, userOptions } from './suggestions.ts';

const ByUsername = graphql(`
  query MemberByUsername($username: String!) {
    users(filter: { username: $username }, perPage: 1) { nodes { id } }
  }
`);

const ByAddress = graphql(`
  query MemberByAddress($address: String!) {
    userByEmail(email: $address) { id }
  }
`);

const Add = graphql(`
  mutation AddMemberByForm(
    $source: GroupOrProject!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date
  ) {
    addMember(source: $source, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt) {
      accessLevel
    }
  }
`);

/** The form that adds a member by username or verified e-mail address. */
export function addMemberForm(visit: Visit, place: MemberPlace, failed?: Failed): Html {
  const mine = failed?.form === '' ? failed : undefined;
  const faults = mine?.fault.fields ?? {};
  const form = mine ? visit.form : {};
  const controls = html`<div class="filters">
<div data-suggest="${visit.url('/autocomplete/users')}" class="grows">${field({
    name: 'user',
    label: 'Username or e-mail',
    value: form.user ?? '',
    isRequired: true,
    autocomplete: 'off',
    list: 'user-suggestions',
    fault: faultText(faults, 'user', 'User'),
  })}
<datalist id="user-suggestions">${userOptions(mine?.suggestions ?? [])}</datalist></div>
${select({
  name: 'access_level',
  label: 'Access level',
  value: form.access_level ?? '30',
  options: place.levels,
  fault: faultText(faults, 'accessLevel', 'Access level'),
})}
${field({
  name: 'expires_at',
  label: 'Expires (optional)',
  type: 'date',
  value: form.expires_at ?? '',
  fault: faultText(faults, 'expiresAt', 'Expiry date'),
})}</div>`;
  return html`<section aria-labelledby="add-member"><h2 id="add-member">Add a member</h2>
${alert(mine ? (mine.fault.text ?? otherFaults(faults, ['user', 'accessLevel', 'expiresAt'])) : null)}
${similar(mine?.suggestions ?? [])}
${formOf(visit, { address: place.address, submit: 'Add member', className: 'whole-form' }, controls)}</section>`;
}

const similar = (users: readonly { readonly username: string; readonly name: string }[]) =>
  users.length > 0 &&
  html`<p class="quiet">Similar users: ${users.map(
    ({ username, name }) => html`<code>${username}</code> (${name}) `,
  )}</p>`;

/** Adds the member that the form names. */
export async function addMember(visit: Visit, { source }: MemberPlace): Promise<void> {
  const { user = '', access_level: level } = visit.form;
  await visit.ask(Add, {
    source,
    userId: await userIdOf(visit, user.trim()),
    accessLevel: Number(level) || 0,
    expiresAt: dayIn(visit.form.expires_at),
  });
}

/** The day in a date field; null if it is empty. Throws if it is no date. */
export function dayIn(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (!isDay(text)) throw invalid({ expiresAt: ['is not a valid date'] });
  return text;
}

async function userIdOf(visit: Visit, text: string): Promise<number> {
  const name = text.startsWith('@') ? text.slice(1) : text;
  const user = name.includes('@')
    ? (await visit.ask(ByAddress, { address: name })).userByEmail
    : (await visit.ask(ByUsername, { username: name || '-' })).users.nodes[0];
  if (!user)
    throw invalid({ user: ['with this username or verified e-mail address was not found'] });
  return Number(user.id);
}

/** What the form shows besides its errors: users with a similar name. */
export const suggestionsFor = (visit: Visit) => suggestedUsers(visit, visit.form.user ?? '');
