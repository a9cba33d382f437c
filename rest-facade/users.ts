import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { accountFields, administeredUser, basicUser, ownUser, user } from './entities/user.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const current = route({
  method: 'get',
  path: '/user',
  access: 'signed in',
  params: z.object({}),
  document: graphql('query CurrentUser { viewer { ...AccountFields } }', [accountFields]),
  variables: () => ({}),
  reshape: ({ viewer }) => (viewer.isAdmin ? administeredUser(viewer) : ownUser(viewer)),
});

const stateOf = (isActive: boolean | undefined, isBlocked: boolean | undefined) => {
  if (isBlocked) return 'blocked' as const;
  return isActive ? ('active' as const) : undefined;
};

const list = route({
  method: 'get',
  path: '/users',
  access: 'anyone',
  params: z.object({
    username: p.text().optional(),
    search: p.text().optional(),
    active: p.flag().optional(),
    blocked: p.flag().optional(),
    external: p.flag().optional(),
    provider: p.text().optional(),
    extern_uid: p.text().optional(),
    created_after: p.date().optional(),
    created_before: p.date().optional(),
  }),
  document: graphql(
    `query Users($filter: UserFilter, $page: Int, $perPage: Int) {
      users(filter: $filter, page: $page, perPage: $perPage) { total nodes { ...AccountFields } }
    }`,
    [accountFields],
  ),
  variables: ({ page, perPage, active, blocked, ...filter }) => ({
    page,
    perPage,
    filter: {
      username: filter.username,
      search: filter.search,
      state: stateOf(active, blocked),
      isExternal: filter.external,
      provider: filter.provider,
      externUid: filter.extern_uid,
      createdAfter: filter.created_after,
      createdBefore: filter.created_before,
    },
  }),
  page: ({ users }) => users.total,
  reshape: ({ users }, _params, { viewer }) =>
    users.nodes.map(viewer?.isAdmin ? administeredUser : basicUser),
});

const show = route({
  method: 'get',
  path: '/users/:id',
  digits: ['id'],
  access: 'anyone',
  params: z.object({ id: p.id() }),
  document: graphql('query User($id: Int!) { user(id: $id) { ...AccountFields } }', [
    accountFields,
  ]),
  variables: ({ id }) => ({ id }),
  reshape: (data, _params, { viewer }) =>
    viewer?.isAdmin ? administeredUser(data.user) : user(data.user),
});

const create = route({
  method: 'post',
  path: '/users',
  access: 'admin',
  params: atLeastOne(
    z.object({
      email: p.text(),
      name: p.text(),
      username: p.text(),
      password: p.text().optional(),
      reset_password: p.flag().optional(),
      skype: p.text().optional(),
      linkedin: p.text().optional(),
      twitter: p.text().optional(),
      website_url: p.text().optional(),
      organization: p.text().optional(),
      projects_limit: p.int().optional(),
      provider: p.text().optional(),
      extern_uid: p.text().optional(),
      bio: p.text().optional(),
      location: p.text().optional(),
      admin: p.flag().optional(),
      can_create_group: p.flag().optional(),
      external: p.flag().optional(),
    }),
    'password',
    'reset_password',
  ),
  document: graphql(
    'mutation CreateUser($user: NewUser!) { createUser(user: $user) { ...AccountFields } }',
    [accountFields],
  ),
  variables: (params) => ({
    user: {
      email: params.email,
      name: params.name,
      username: params.username,
      password: params.password,
      hasRandomPassword: params.reset_password,
      skype: params.skype,
      linkedin: params.linkedin,
      twitter: params.twitter,
      websiteUrl: params.website_url,
      organization: params.organization,
      projectsLimit: params.projects_limit,
      provider: params.provider,
      externUid: params.extern_uid,
      bio: params.bio,
      location: params.location,
      isAdmin: params.admin,
      canCreateGroup: params.can_create_group,
      isExternal: params.external,
    },
  }),
  reshape: (data) => ownUser(data.createUser),
});

export const users = [current, list, show, create];
