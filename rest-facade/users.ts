import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { attributePairs } from './entities/custom-attributes.ts';
import {
  accountFields,
  administeredUser,
  basicUserFields,
  ownUser,
  publicProfile,
  userWithToken,
} from './entities/user.ts';
import { camelCased } from './kernel/case.ts';
import { moved } from './kernel/instant.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { allOrNone, atLeastOne } from './kernel/rules.ts';
import { s, selected, shapeOf } from './kernel/shape.ts';

const current = route({
  method: 'get',
  path: '/user',
  access: 'signed in',
  scopes: ['read_user', 'openid'],
  params: z.object({}),
  document: graphql(
    `query CurrentUser {
      result: viewer { ...AccountFields token: account { private_token: privateToken } }
    }`,
    [accountFields],
  ),
  response: z.union([userWithToken, shapeOf(administeredUser), shapeOf(ownUser)]),
  reshape: ({ token, ...viewer }) => {
    const hasToken = token !== null && token.private_token !== null;
    if (hasToken) return { ...administeredUser(viewer), ...token };
    return viewer.is_admin ? administeredUser(viewer) : ownUser(viewer);
  },
});

const list = route({
  method: 'get',
  path: '/users',
  access: 'anyone',
  scopes: ['read_user'],
  params: allOrNone(
    z.object({
      username: p.text().optional(),
      search: p.text().optional(),
      active: p.flag().optional(),
      blocked: p.flag().optional(),
      external: p.flag().optional(),
      provider: p.text().optional(),
      extern_uid: p.text().optional(),
      created_after: p.time().optional(),
      created_before: p.time().optional(),
      custom_attributes: p.hash().optional(),
    }),
    'provider',
    'extern_uid',
  ),
  document: graphql(
    `query Users($filter: UserFilter, $page: Int, $perPage: Int, $isWhole: Boolean!) {
      page: users(filter: $filter, page: $page, perPage: $perPage) {
        total
        nodes { ...BasicUserFields ...AccountFields @include(if: $isWhole) }
      }
    }`,
    [basicUserFields, accountFields],
  ),
  variables: ({ page, perPage, ...filter }, viewer) => ({
    page,
    perPage,
    isWhole: viewer?.isAdmin === true,
    filter: {
      username: filter.username,
      search: filter.search,
      // `false` does not filter
      isActive: filter.active || undefined,
      isBlocked: filter.blocked || undefined,
      isExternal: filter.external || undefined,
      provider: filter.provider,
      externUid: filter.extern_uid,
      // v4 excludes the given times (v4-behaviour 3.1)
      createdAfter: filter.created_after && moved(filter.created_after, 1),
      createdBefore: filter.created_before && moved(filter.created_before, -1),
      customAttributes: attributePairs(filter.custom_attributes),
    },
  }),
  response: z.union([shapeOf(administeredUser), selected(basicUserFields)]),
  reshape: (node) => ('account' in node && node.account ? administeredUser(node) : node),
});

const show = route({
  method: 'get',
  path: '/users/:id',
  digits: ['id'],
  access: 'anyone',
  scopes: ['read_user'],
  params: z.object({ id: p.id() }),
  document: graphql('query User($id: Int!) { result: userById(id: $id) { ...AccountFields } }', [
    accountFields,
  ]),
  response: z.union([shapeOf(administeredUser), shapeOf(publicProfile)]),
  reshape: (record, { viewer }) =>
    viewer?.isAdmin ? administeredUser(record) : publicProfile(record),
});

/** The fields of a user that administrators set at creation and later. */
const writable = {
  skype: p.text().optional(),
  linkedin: p.text().optional(),
  twitter: p.text().optional(),
  website_url: p.text().optional(),
  organization: p.orNone(p.text()).optional(),
  projects_limit: p.int().optional(),
  provider: p.text().optional(),
  extern_uid: p.text().optional(),
  bio: p.orNone(p.text()).optional(),
  location: p.orNone(p.text()).optional(),
  admin: p.flag().optional(),
  can_create_group: p.flag().optional(),
  external: p.flag().optional(),
  avatar: p.fileOrNone().optional(),
  // an address that an administrator enters is verified without an e-mail
  confirm: p.flag().optional(),
  skip_confirmation: p.flag().optional(),
  skip_reconfirmation: p.flag().optional(),
};

const writableObject = z.object(writable);

/** The fields that the inputs of the core have in common. */
const userInput = <Params extends z.output<typeof writableObject>>({
  admin: isAdmin,
  external: isExternal,
  confirm: _confirm,
  skip_confirmation: _skipConfirmation,
  skip_reconfirmation: _skipReconfirmation,
  ...params
}: Params) => ({ ...camelCased(params), isAdmin, isExternal });

const create = route({
  method: 'post',
  path: '/users',
  statuses: [409],
  access: 'admin',
  params: allOrNone(
    atLeastOne(
      z.object({
        ...writable,
        email: p.text(),
        name: p.text(),
        username: p.text(),
        password: p.text().optional(),
        reset_password: p.flag().optional(),
      }),
      'password',
      'reset_password',
    ),
    'provider',
    'extern_uid',
  ),
  document: graphql(
    'mutation CreateUser($user: NewUser!) { result: createUser(user: $user) { ...AccountFields } }',
    [accountFields],
  ),
  variables: ({ reset_password: hasRandomPassword, ...params }) => ({
    user: { ...userInput(params), hasRandomPassword },
  }),
  reshape: ownUser,
});

const update = route({
  method: 'put',
  path: '/users/:id',
  statuses: [409],
  digits: ['id'],
  access: 'admin',
  params: allOrNone(
    z.object({
      ...writable,
      id: p.id(),
      email: p.text().optional(),
      name: p.text().optional(),
      username: p.text().optional(),
      password: p.text().optional(),
      /** Clients send it to request a reset e-mail; without e-mail it has no effect. */
      reset_password: p.flag().optional(),
    }),
    'provider',
    'extern_uid',
  ),
  document: graphql(
    `mutation UpdateUser($id: Int!, $user: UserChange!) {
      result: updateUser(id: $id, user: $user) { ...AccountFields }
    }`,
    [accountFields],
  ),
  variables: ({ id, reset_password: _resetPassword, ...params }) => ({
    id,
    user: {
      ...userInput(params),
      // the address needs no e-mail that asks for a confirmation, also if it is the former one
      isEmailVerified:
        (params.email !== undefined && (params.skip_reconfirmation || params.skip_confirmation)) ||
        undefined,
    },
  }),
  reshape: ownUser,
});

const remove = route({
  method: 'delete',
  path: '/users/:id',
  statuses: [409],
  digits: ['id'],
  access: 'admin',
  params: z.object({ id: p.id(), hard_delete: p.flag().optional() }),
  document: graphql(
    `mutation DeleteUser($id: Int!, $hard_delete: Boolean) {
      deleteUser(id: $id, deletesOwnedGroups: $hard_delete)
    }`,
  ),
});

const blocking = [
  {
    path: '/users/:id/block',
    document: graphql(
      'mutation BlockUser($id: Int!) { result: blockUser(id: $id) { hasChanged } }',
    ),
  },
  {
    path: '/users/:id/unblock',
    document: graphql(
      'mutation UnblockUser($id: Int!) { result: unblockUser(id: $id) { hasChanged } }',
    ),
  },
].map((action) =>
  route({
    ...action,
    method: 'post',
    digits: ['id'],
    access: 'admin',
    params: z.object({ id: p.id() }),
    response: s.flag().describe('Whether the state of the user has changed.'),
    reshape: ({ hasChanged }) => hasChanged,
  }),
);

export const users = [current, list, show, create, update, remove, ...blocking];
