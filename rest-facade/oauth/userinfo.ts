import { z } from 'zod';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { route } from '../kernel/route.ts';
import { entity, s, shaped } from '../kernel/shape.ts';
import { text } from './client.ts';

const document = graphql(
  `query OauthUserinfo($token: String!) {
    result: oauthUserinfo(token: $token) {
      userId name username profileUrl pictureUrl websiteUrl email isEmailVerified groups
    }
  }`,
);

const shape = entity('Userinfo', {
  sub: s.text().describe('The id of the user.'),
  name: s.text().describe('The full name.'),
  nickname: s.text().describe('The username.'),
  preferred_username: s.text().describe('The username.'),
  profile: s.url().describe('The URL of the page of the user.'),
  picture: s.url().optional().describe('The URL of the avatar.'),
  website: s.text().optional().describe('The URL of a website of the user.'),
  email: s.text().optional().describe('The primary e-mail address, with the scope `email`.'),
  email_verified: s
    .flag()
    .optional()
    .describe('Whether an administrator entered or verified the address, or a directory gave it.'),
  groups: s
    .list(s.text())
    .describe(
      'The full paths of the groups that the user is a member of, directly or by inheritance; at most 1000.',
    ),
});

/** Claims without a value are left out (OpenID Connect Core, 5.3.2). */
const claims = shaped(shape, (user: ResultOf<typeof document>['result']) => ({
  sub: String(user.userId),
  name: user.name,
  nickname: user.username,
  preferred_username: user.username,
  profile: user.profileUrl,
  ...(user.pictureUrl !== null && { picture: user.pictureUrl }),
  ...(user.websiteUrl !== null && { website: user.websiteUrl }),
  ...(user.email !== null && { email: user.email }),
  ...(user.isEmailVerified !== null && { email_verified: user.isEmailVerified }),
  groups: user.groups,
}));

const usual = {
  path: '/userinfo',
  access: 'anyone',
  authentication: 'token',
  status: 200,
  statuses: [403],
  params: z.object({
    access_token: text().describe('The access token, unless the header has it.'),
    bearer_token: text().describe('The same as `access_token`.'),
  }),
  document,
  variables: ({ access_token, bearer_token }: Readonly<Record<string, string | undefined>>) => ({
    token: access_token ?? bearer_token ?? '',
  }),
  reshape: claims,
} as const;

const show = route({
  ...usual,
  method: 'get',
  title: 'Show the claims about the user of an access token',
});

const showByForm = route({
  ...usual,
  method: 'post',
  title: 'Show the claims about the user of an access token in a form',
});

export const userinfo = [show, showByForm];
