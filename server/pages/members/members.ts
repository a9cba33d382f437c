import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { field, otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { choices, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, ShownPage, Visit } from '../kernel/page.ts';
import { alert, savedNotice } from '../kernel/parts.ts';
import {
  accessRequests,
  approveRequest,
  denyRequest,
  requestAccess,
  withdrawRequest,
} from './access-requests.ts';
import { addMember, addMemberForm, dayIn, suggestionsFor } from './add-member.ts';
import type { Failed } from './failed.ts';
import { memberFields, memberList } from './member-list.ts';
import type { MemberPlace } from './place.ts';

const AllMembers = graphql(
  `query AllMembersOfPlace(
    $source: GroupOrProject!, $search: String, $page: Int!, $perPage: Int!
  ) {
    allMembers(source: $source, filter: { search: $search }, page: $page, perPage: $perPage) {
      total nodes { ...ListedMemberFields }
    }
  }`,
  [memberFields],
);

const DirectMembers = graphql(
  `query DirectMembersOfPlace(
    $source: GroupOrProject!, $search: String, $page: Int!, $perPage: Int!
  ) {
    members(source: $source, filter: { search: $search }, page: $page, perPage: $perPage) {
      total nodes { ...ListedMemberFields }
    }
  }`,
  [memberFields],
);

const Update = graphql(`
  mutation UpdateMemberByForm(
    $source: GroupOrProject!, $userId: Int!, $accessLevel: Int!, $expiresAt: Date
  ) {
    updateMember(source: $source, userId: $userId, accessLevel: $accessLevel, expiresAt: $expiresAt) {
      accessLevel
    }
  }
`);

const Remove = graphql(`
  mutation RemoveMemberByForm($source: GroupOrProject!, $userId: Int!) {
    removeMember(source: $source, userId: $userId)
  }
`);

/** Further content of a members page, below its list. */
type More = (failed: Failed | undefined) => Promise<Html | null> | Html | null;

/** The members of a group or project, with their forms for users who manage them. */
export async function membersPage(
  visit: Visit,
  place: MemberPlace,
  more: More,
  failed?: Failed,
): Promise<ShownPage> {
  const { address, canManage } = place;
  const search = visit.query.search?.trim() ?? '';
  const isDirect = visit.query.only === 'direct';
  const page = pageOf(visit);
  const variables = { source: place.source, search: search || null, page, perPage };
  const [{ total, nodes }, requests, below] = await Promise.all([
    isDirect
      ? visit.ask(DirectMembers, variables).then(({ members }) => members)
      : visit.ask(AllMembers, variables).then(({ allMembers }) => allMembers),
    canManage ? accessRequests(visit, place) : null,
    more(failed),
  ]);
  const query = { ...(search && { search }), ...(isDirect && { only: 'direct' }) };
  const shown = place.page(
    'Members',
    html`<h1>Members</h1>
${savedNotice(visit)}
${failed && !hasOwnAlert(failed) && alert(failed.fault.text ?? otherFaults(failed.fault.fields, []))}
${canManage && addMemberForm(visit, place, failed)}
${requests}
<section aria-labelledby="members"><h2 id="members">Members <span class="count">${total}</span></h2>
${choices(
  'Which members',
  [
    ['All', address],
    ['Direct members', `${address}?only=direct`],
  ],
  isDirect ? 'Direct members' : 'All',
)}
<form method="get" action="${address}" role="search" class="filters">
${isDirect && html`<input type="hidden" name="only" value="direct">`}
${field({ name: 'search', label: 'Search members', type: 'search', value: search })}
<button class="secondary">Search</button>
</form>
${memberList(visit, place, nodes, failed)}
${pager({ address, page, total, query })}</section>
${below}`,
  );
  return { ...shown, status: failed?.fault.status ?? 200 };
}

/** Whether the form that failed shows its errors itself. */
const hasOwnAlert = ({ form }: Failed): boolean =>
  form === '' || form === 'group_links' || form.endsWith('/update');

/** What the forms of a row do, by the word after the user's id. */
const rowActions: Readonly<
  Record<string, (visit: Visit, place: MemberPlace, userId: number) => Promise<unknown>>
> = {
  update: (visit, { source }, userId) =>
    visit.ask(Update, {
      source,
      userId,
      accessLevel: Number(visit.form.access_level) || 0,
      expiresAt: dayIn(visit.form.expires_at),
    }),
  remove: (visit, { source }, userId) => visit.ask(Remove, { source, userId }),
  approve: approveRequest,
  deny: denyRequest,
};

/** The user's own actions; they lead to the page of the group or project. */
const ownActions: Readonly<Record<string, (visit: Visit, place: MemberPlace) => Promise<unknown>>> =
  {
    request_access: requestAccess,
    withdraw_request: withdrawRequest,
    leave: (visit, { source }) => visit.ask(Remove, { source, userId: visit.viewer?.id ?? 0 }),
  };

/** Handles the forms of a members page. */
export function submitMembers(
  visit: Visit,
  place: MemberPlace,
  rest: string,
  more: More,
): Promise<Answer> {
  const again = async (fault: Fault): Promise<Answer> => {
    const suggestions = rest === '' && fault.fields.user ? await suggestionsFor(visit) : [];
    return membersPage(visit, place, more, { form: rest, fault, suggestions });
  };
  const own = Object.hasOwn(ownActions, rest) ? ownActions[rest] : undefined;
  return orFault(
    visit,
    async () => {
      if (own) {
        await own(visit, place);
        return { redirect: rest === 'leave' ? visit.url('/') : place.home };
      }
      if (rest === '') await addMember(visit, place);
      else await changeRow(visit, place, rest);
      return { redirect: `${place.address}?saved=1` };
    },
    again,
  );
}

async function changeRow(visit: Visit, place: MemberPlace, rest: string): Promise<void> {
  const [id, word] = splitFirst(rest);
  const action = Object.hasOwn(rowActions, word) ? rowActions[word] : undefined;
  if (!action) throw pathNotFound();
  await action(visit, place, numberIn(id));
}
