import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const word = p.text().nullish();

/** What a program says of itself. */
export const runnerInfo = z
  .object({
    name: word,
    version: word,
    revision: word,
    platform: word,
    architecture: word,
  })
  .optional();

// runners show tokens of their own and are nobody else
const own = { access: 'anyone' } as const;

const register = route({
  ...own,
  method: 'post',
  path: '/runners',
  params: z.object({
    token: p.text(),
    description: p.orNone(p.text()).optional(),
    info: runnerInfo,
    active: p.flag().optional(),
    /** What later runners say in place of it. */
    paused: p.flag().optional(),
    locked: p.flag().optional(),
    run_untagged: p.flag().optional(),
    tag_list: p.list().optional(),
    access_level: p.choice(['not_protected', 'ref_protected']).optional(),
  }),
  document: graphql(
    `mutation RegisterRunner($token: String!, $settings: RunnerSettings!, $info: RunnerInfo) {
      registerRunner(token: $token, settings: $settings, info: $info) { id token }
    }`,
  ),
  variables: ({ token, info, ...given }) => ({
    token,
    info,
    settings: {
      description: given.description,
      isActive: given.active ?? (given.paused === undefined ? undefined : !given.paused),
      tagList: given.tag_list,
      runsUntagged: given.run_untagged,
      isLocked: given.locked,
      access: given.access_level,
    },
  }),
  reshape: ({ registerRunner: { id, token } }) => ({ id, token }),
});

const shown = z.object({ token: p.text() });

const verify = route({
  ...own,
  method: 'post',
  path: '/runners/verify',
  status: 200,
  params: shown,
  document: graphql('query VerifyRunner($token: String!) { registeredRunner(token: $token) }'),
  variables: ({ token }) => ({ token }),
  // the status is all that matters, and has always been the body as well
  reshape: () => 200,
});

const unregister = route({
  ...own,
  method: 'delete',
  path: '/runners',
  params: shown,
  document: graphql(
    'mutation UnregisterRunner($token: String!) { unregisterRunner(token: $token) }',
  ),
  variables: ({ token }) => ({ token }),
});

/** What runner programs ask (v4-behaviour 3.12). */
export const runnerProtocol = [register, verify, unregister];
