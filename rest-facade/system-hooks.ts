import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { hookFields, hookParams, systemHook } from './entities/hook.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const one = { hook_id: p.id() };

const list = route({
  method: 'get',
  path: '/hooks',
  access: 'admin',
  params: z.object({}),
  document: graphql(
    `query SystemHooks($page: Int, $perPage: Int) {
      page: hooks(page: $page, perPage: $perPage) { total nodes { ...HookFields } }
    }`,
    [hookFields],
  ),
  variables: ({ page, perPage }) => ({ page, perPage }),
  reshape: systemHook,
});

const create = route({
  method: 'post',
  path: '/hooks',
  access: 'admin',
  params: z.object(hookParams),
  document: graphql(
    `mutation CreateSystemHook($settings: HookSettings!) {
      result: createHook(settings: $settings) { ...HookFields }
    }`,
    [hookFields],
  ),
  variables: (params) => ({
    settings: {
      url: params.url,
      token: params.token,
      verifiesSsl: params.enable_ssl_verification,
      onPush: params.push_events,
      onTagPush: params.tag_push_events,
      onRepositoryUpdate: params.repository_update_events,
      onMergeRequest: params.merge_requests_events,
    },
  }),
  reshape: systemHook,
});

/** Sends a test payload to the hook; v4 supports both methods (v4-behaviour 3.9). */
const sampling = (method: 'get' | 'post') =>
  route({
    method,
    path: '/hooks/:hook_id',
    access: 'admin',
    params: z.object(one),
    document: graphql(`mutation TestSystemHook($id: Int!) { testHook(id: $id) }`),
    variables: ({ hook_id: id }) => ({ id }),
    reshape: ({ testHook }) => JSON.parse(testHook) as object,
  });

const remove = route({
  method: 'delete',
  path: '/hooks/:hook_id',
  access: 'admin',
  params: z.object(one),
  document: graphql(`mutation DeleteSystemHook($id: Int!) { deleteHook(id: $id) }`),
  variables: ({ hook_id: id }) => ({ id }),
});

export const systemHooks = [list, create, sampling('get'), sampling('post'), remove];
