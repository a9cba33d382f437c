import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { hookParams, hookSettings, systemHookFields } from './entities/hook.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { s } from './kernel/shape.ts';

const all = { path: '/hooks', access: 'admin' } as const;
const single = {
  path: '/hooks/:hook_id',
  access: 'admin',
  params: z.object({ hook_id: p.id() }),
} as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object({}),
  document: graphql(
    `query SystemHooks($page: Int, $perPage: Int) {
      page: hooks(page: $page, perPage: $perPage) { total nodes { ...SystemHookFields } }
    }`,
    [systemHookFields],
  ),
});

const create = route({
  ...all,
  method: 'post',
  statuses: [422],
  params: z.object(hookParams),
  document: graphql(
    `mutation CreateSystemHook($hook: NewHook!) {
      result: createHook(hook: $hook) { ...SystemHookFields }
    }`,
    [systemHookFields],
  ),
  variables: (params) => ({ hook: hookSettings(params) }),
});

/** Sends a test payload to the hook; v4 supports both methods (v4-behaviour 3.9). */
const test = (method: 'get' | 'post') =>
  route({
    ...single,
    method,
    ...(method === 'get' && { title: 'Test a system hook by GET', isDeprecated: true as const }),
    document: graphql('mutation TestSystemHook($hook_id: Int!) { result: testHook(id: $hook_id) }'),
    response: z
      .record(s.text(), z.unknown())
      .describe('The payload of the test event, as the hook receives it.'),
    reshape: (payload) => JSON.parse(payload) as Readonly<Record<string, unknown>>,
  });

const remove = route({
  ...single,
  method: 'delete',
  document: graphql('mutation DeleteSystemHook($hook_id: Int!) { deleteHook(id: $hook_id) }'),
});

export const systemHooks = [list, create, test('get'), test('post'), remove];
