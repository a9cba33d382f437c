import { graphql } from '../../../schema/client/graphql.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { adminGet, adminPost } from './admin-pages.ts';

const EditedUser = graphql(`
  query AdminEditedUser($id: Int!) {
    userById(id: $id) {
      id name username email isAdmin isExternal
      account { projectsLimit canCreateGroup }
    }
  }
`);

const Create = graphql(`
  mutation AdminCreateUser($user: NewUser!) { createUser(user: $user) { id } }
`);

const Update = graphql(`
  mutation AdminUpdateUser($id: Int!, $user: UserChange!) { updateUser(id: $id, user: $user) { id } }
`);

/** What the form shows. */
interface Input {
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly projectsLimit: string;
  readonly isAdmin: boolean;
  readonly isExternal: boolean;
  readonly canCreateGroup: boolean;
}

const fieldNames = ['name', 'username', 'email', 'password', 'projectsLimit'];

/** The input of the form, with the texts as they were sent. */
const inputOf = ({ form }: Visit): Input => ({
  name: form.name ?? '',
  username: form.username ?? '',
  email: form.email ?? '',
  projectsLimit: form.projectsLimit ?? '',
  isAdmin: form.isAdmin === '1',
  isExternal: form.isExternal === '1',
  canCreateGroup: form.canCreateGroup === '1',
});

function controls(input: Input, fault: Fault | undefined, isNew: boolean): Html {
  const faultOf = (name: string, label: string) => faultText(fault?.fields ?? {}, name, label);
  const text = (name: 'name' | 'username' | 'email', label: string) =>
    field({
      name,
      label,
      type: name === 'email' ? 'email' : 'text',
      value: input[name],
      isRequired: true,
      autocomplete: 'off',
      fault: faultOf(name, label),
    });
  return html`${faultAlert(fault, fieldNames)}
${text('name', 'Name')}
${text('username', 'Username')}
${text('email', 'E-mail')}
${field({
  name: 'password',
  label: isNew ? 'Password' : 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: isNew
    ? 'At least 8 characters. Without one the user gets a random password that is shown to no user.'
    : 'At least 8 characters; the user is signed out everywhere. Empty: the password stays.',
  fault: faultOf('password', 'Password'),
})}
${field({
  name: 'projectsLimit',
  label: 'Personal projects at most',
  type: 'number',
  value: input.projectsLimit,
  hint: isNew ? 'Empty: as the application settings say.' : null,
  fault: faultOf('projectsLimit', 'The limit'),
})}
${checkbox({
  name: 'canCreateGroup',
  label: 'May create groups',
  isChecked: input.canCreateGroup,
})}
${checkbox({
  name: 'isAdmin',
  label: 'Administrator',
  hint: 'Administrators can see and change everything.',
  isChecked: input.isAdmin,
})}
${checkbox({
  name: 'isExternal',
  label: 'External',
  hint: 'External users see no internal projects, only those that they are members of. They create no groups, personal projects and personal snippets.',
  isChecked: input.isExternal,
})}`;
}

const fresh: Input = {
  name: '',
  username: '',
  email: '',
  projectsLimit: '',
  isAdmin: false,
  isExternal: false,
  canCreateGroup: true,
};

const newPage = (visit: Visit, input: Input = fresh, fault?: Fault): ShownPage =>
  adminPage(visit, {
    section: '/admin/users',
    title: 'New user',
    status: fault?.status,
    main: formOf(
      visit,
      {
        address: visit.url('/admin/users'),
        submit: 'Create user',
        cancel: visit.url('/admin/users'),
      },
      controls(input, fault, true),
    ),
  });

const idOf = ({ params }: Visit): number => numberIn(params.id ?? '');

async function editPage(visit: Visit, sent?: Input, fault?: Fault): Promise<ShownPage> {
  const { userById: user } = await visit.ask(EditedUser, { id: idOf(visit) });
  const { account } = user;
  const stored: Input = {
    name: user.name,
    username: user.username,
    email: user.email ?? '',
    projectsLimit: String(account?.projectsLimit ?? ''),
    isAdmin: user.isAdmin === true,
    isExternal: user.isExternal === true,
    canCreateGroup: account?.canCreateGroup === true,
  };
  const address = visit.url(`/admin/users/${user.id}`);
  return adminPage(visit, {
    section: '/admin/users',
    title: `Edit ${user.name}`,
    status: fault?.status,
    main: formOf(
      visit,
      { address: `${address}/edit`, submit: 'Save changes', cancel: address },
      controls(sent ?? stored, fault, false),
    ),
  });
}

/** What is sent to the core; a limit that is no number is an error of its field. */
function changeOf({ projectsLimit, ...input }: Input, password: string) {
  return {
    ...input,
    ...(password !== '' && { password }),
    ...(projectsLimit !== '' && { projectsLimit: Number(projectsLimit) }),
  };
}

const badLimit = ({ projectsLimit }: Input): Fault | null =>
  /^\d{0,9}$/.test(projectsLimit)
    ? null
    : { status: 422, text: null, fields: { projectsLimit: ['is not a number'] } };

function create(visit: Visit): Promise<Answer> | Answer {
  const input = inputOf(visit);
  const bad = badLimit(input);
  if (bad) return newPage(visit, input, bad);
  const { password = '' } = visit.form;
  return orFault(
    visit,
    async () => {
      const user = { ...changeOf(input, password), hasRandomPassword: password === '' };
      const { createUser } = await visit.ask(Create, { user });
      return saved(visit.url(`/admin/users/${createUser.id}`));
    },
    (fault) => newPage(visit, input, fault),
  );
}

function update(visit: Visit): Promise<Answer> {
  const input = inputOf(visit);
  const bad = badLimit(input);
  if (bad) return editPage(visit, input, bad);
  return orFault(
    visit,
    async () => {
      const user = changeOf(input, visit.form.password ?? '');
      await visit.ask(Update, { id: idOf(visit), user });
      return saved(visit.url(`/admin/users/${idOf(visit)}`));
    },
    (fault) => editPage(visit, input, fault),
  );
}

export const userFormPages: readonly Page[] = [
  adminGet('/admin/users/new', (visit) => newPage(visit)),
  adminPost('/admin/users', create),
  adminGet('/admin/users/:id/edit', (visit) => editPage(visit)),
  adminPost('/admin/users/:id/edit', update),
];
