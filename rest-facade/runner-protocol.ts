import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { s } from './kernel/shape.ts';

const word = p.text().nullish();

/** The description of a runner program by itself. */
export const runnerInfo = z
  .object({
    name: word,
    version: word,
    revision: word,
    platform: word,
    architecture: word,
  })
  .optional();

// runners authenticate by tokens of their own, without a user
const own = { access: 'anyone' } as const;

const register = route({
  ...own,
  method: 'post',
  path: '/runners',
  title: 'Register a runner',
  params: z.object({
    token: p.text(),
    description: p.orNone(p.text()).optional(),
    info: runnerInfo,
    active: p.flag().optional(),
    /** The opposite of `active`, which later runners send. */
    paused: p.flag().optional(),
    locked: p.flag().optional(),
    run_untagged: p.flag().optional(),
    tag_list: p.list().optional(),
    access_level: p.choice(['not_protected', 'ref_protected']).optional(),
  }),
  document: graphql(
    `mutation RegisterRunner($token: String!, $settings: RunnerSettings!, $info: RunnerInfo) {
      result: registerRunner(token: $token, settings: $settings, info: $info) { id token }
    }`,
  ),
  variables: ({ token, info, ...given }) => ({
    token,
    info,
    settings: {
      description: given.description,
      isActive: given.active ?? (given.paused === undefined ? undefined : !given.paused),
      tagList: given.tag_list,
      runUntagged: given.run_untagged,
      isLocked: given.locked,
      access: given.access_level,
    },
  }),
});

const shown = z.object({ token: p.text() });

const verify = route({
  ...own,
  method: 'post',
  path: '/runners/verify',
  status: 200,
  params: shown,
  document: graphql('query VerifyRunner($token: String!) { registeredRunner(token: $token) }'),
  title: 'Check the token of a runner',
  response: s.int().describe('Always 200.'),
  // clients read the status only; v4 repeats it as the body
  reshape: () => 200,
});

const unregister = route({
  ...own,
  method: 'delete',
  path: '/runners',
  title: 'Remove a runner by its token',
  params: shown,
  document: graphql(
    'mutation UnregisterRunner($token: String!) { unregisterRunner(token: $token) }',
  ),
});

/** The registration of runner programs (v4-behaviour 3.12). */
export const runnerProtocol = [register, verify, unregister];
