import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { accountFields, administeredUser, userWithToken } from './entities/user.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const create = route({
  method: 'post',
  path: '/session',
  title: 'Sign in with a password',
  access: 'anyone',
  params: atLeastOne(
    z.object({ login: p.text().optional(), email: p.text().optional(), password: p.text() }),
    'login',
    'email',
  ),
  document: graphql(
    `mutation CreateSession($login: String!, $password: String!) {
      createSession(login: $login, password: $password) { privateToken user { ...AccountFields } }
    }`,
    [accountFields],
  ),
  variables: ({ login, email, password }) => ({ login: login ?? email ?? '', password }),
  response: userWithToken,
  reshape: ({ createSession: { user, privateToken } }) => ({
    ...administeredUser(user),
    private_token: privateToken,
  }),
});

export const session = [create];
