import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { checkbox } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm, saved } from '../kernel/parts.ts';
import { day, when } from '../kernel/times.ts';
import { adminGet, adminPost } from './admin-pages.ts';
import { userAddresses, verifyFurther, verifyPrimary } from './user-addresses.ts';
import { userBadges } from './users.ts';

const UserDetails = graphql(`
  query AdminUser($id: Int!) {
    userById(id: $id) {
      id name username email isEmailVerified avatarUrl state isAdmin isExternal createdAt
      emails(perPage: 100) { nodes { id email isVerified } }
      sshKeys(perPage: 1) { total }
      personalProjects(perPage: 1, filter: { archived: include }) { total }
      groups(perPage: 1) { total }
      account {
        isTwoFactorEnabled hasPassword projectsLimit canCreateGroup currentSignInAt lastActivityOn
        identities { provider externUid }
      }
    }
  }
`);

const Block = graphql(`mutation AdminBlock($id: Int!) { blockUser(id: $id) { hasChanged } }`);
const Unblock = graphql(`mutation AdminUnblock($id: Int!) { unblockUser(id: $id) { hasChanged } }`);
const Delete = graphql(`
  mutation AdminDeleteUser($id: Int!, $groups: Boolean) {
    deleteUser(id: $id, deletesOwnedGroups: $groups)
  }
`);
const DisableTwoFactor = graphql(`
  mutation AdminDisableTwoFactor($id: Int!) { disableTwoFactorForUser(user: $id) { id } }
`);

type ShownUser = ResultOf<typeof UserDetails>['userById'];

const idOf = ({ params }: Visit): number => numberIn(params.id ?? '');

const addressOf = ({ url }: Visit, id: number): string => url(`/admin/users/${id}`);

async function userPage(visit: Visit, fault?: Fault) {
  const { userById: user } = await visit.ask(UserDetails, { id: idOf(visit) });
  return adminPage(visit, {
    section: '/admin/users',
    title: user.name,
    heading: html`${avatar(user, 'large')} ${user.name}`,
    status: fault?.status,
    main: html`${faultAlert(fault)}
<p class="row"><a href="${visit.url(`/${user.username}`)}">@${user.username}</a>${userBadges(user)}
<a class="button small" href="${addressOf(visit, user.id)}/edit">Edit</a>
<a class="button small" href="${addressOf(visit, user.id)}/impersonation_tokens">Impersonation tokens</a></p>
${traits(user)}
${userAddresses(visit, addressOf(visit, user.id), user)}
${user.id !== visit.viewer?.id && actions(visit, user)}`,
  });
}

function traits({ account, ...user }: ShownUser): Html {
  const identities = account?.identities ?? [];
  return html`<dl class="traits">
<dt>E-mail</dt><dd>${user.email}</dd>
<dt>Created</dt><dd>${day(user.createdAt)}</dd>
<dt>Last sign-in</dt><dd>${account?.currentSignInAt ? when(account.currentSignInAt) : 'never'}</dd>
<dt>Last activity</dt><dd>${account?.lastActivityOn ? day(account.lastActivityOn) : 'never'}</dd>
<dt>Personal projects</dt><dd>${user.personalProjects.total} of at most ${account?.projectsLimit}</dd>
<dt>Groups</dt><dd>${user.groups?.total}; ${account?.canCreateGroup ? 'may create groups' : 'may not create groups'}</dd>
<dt>SSH keys</dt><dd>${user.sshKeys?.total}</dd>
<dt>Two-factor authentication</dt><dd>${account?.isTwoFactorEnabled ? 'on' : 'off'}</dd>
${identities.map(({ provider, externUid }) => html`<dt>Identity in ${provider}</dt><dd>${externUid}</dd>`)}
</dl>`;
}

const actions = (visit: Visit, user: ShownUser): Html => html`
<h2>Access</h2>
<div class="row">
${
  user.state === 'active'
    ? confirmedForm(
        visit,
        { address: `${addressOf(visit, user.id)}/block`, label: 'Block' },
        'The user is signed out everywhere, and their tokens and keys stop working until they are unblocked.',
      )
    : user.state === 'blocked' &&
      actionForm(visit, { address: `${addressOf(visit, user.id)}/unblock`, label: 'Unblock' })
}
${
  user.account?.isTwoFactorEnabled &&
  confirmedForm(
    visit,
    {
      address: `${addressOf(visit, user.id)}/disable_two_factor`,
      label: 'Disable two-factor authentication',
    },
    'The user can sign in with the password alone. Verify the identity of the user first.',
  )
}
</div>
<h2>Delete the user</h2>
${confirmedForm(
  visit,
  {
    address: `${addressOf(visit, user.id)}/delete`,
    label: 'Delete user',
    fields: checkbox({
      name: 'groups',
      label: 'Delete the groups of which the user is the only owner, too',
      isChecked: false,
    }),
  },
  html`<strong>${user.name}</strong> and all their personal projects are deleted. This cannot be undone.`,
)}`;

/** Runs an action on the user, and shows the user again. */
const acting =
  (act: (visit: Visit, id: number) => Promise<unknown>) =>
  (visit: Visit): Promise<Answer> =>
    orFault(
      visit,
      async () => {
        const id = idOf(visit);
        await act(visit, id);
        return saved(addressOf(visit, id));
      },
      (fault) => userPage(visit, fault),
    );

const remove = (visit: Visit): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      await visit.ask(Delete, { id: idOf(visit), groups: visit.form.groups === '1' });
      return { redirect: visit.url('/admin/users?deleted=1') };
    },
    (fault) => userPage(visit, fault),
  );

const root = '/admin/users/:id';

export const userPages: readonly Page[] = [
  adminGet(root, (visit) => userPage(visit)),
  adminPost(
    `${root}/block`,
    acting((visit, id) => visit.ask(Block, { id })),
  ),
  adminPost(
    `${root}/unblock`,
    acting((visit, id) => visit.ask(Unblock, { id })),
  ),
  adminPost(
    `${root}/disable_two_factor`,
    acting((visit, id) => visit.ask(DisableTwoFactor, { id })),
  ),
  adminPost(`${root}/verify_email`, acting(verifyPrimary)),
  adminPost(`${root}/emails/:email_id/verify`, acting(verifyFurther)),
  adminPost(`${root}/delete`, remove),
];
