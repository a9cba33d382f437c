import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { hookSettings, projectHookFields, projectHookParams } from './entities/hook.ts';
import { p, ref } from './kernel/params.ts';
import { type PathParams, route } from './kernel/route.ts';

const hookRef = z.object({ ...ref, hook_id: p.id() });

/** Permission is checked before the parameters. */
const before = {
  document: graphql(
    `query ManageableHooks($project: ID!) { hooks(project: $project) { __typename } }`,
  ),
  variables: ({ id = '' }: PathParams) => ({ project: id }),
};

const all = { access: 'signed in', path: '/projects/:id/hooks', before } as const;
const single = { ...all, path: '/projects/:id/hooks/:hook_id' } as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object(ref),
  document: graphql(
    `query ProjectHooks($id: ID!, $page: Int, $perPage: Int) {
      page: hooks(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...ProjectHookFields }
      }
    }`,
    [projectHookFields],
  ),
});

const show = route({
  ...single,
  method: 'get',
  params: hookRef,
  document: graphql(
    `query ProjectHook($id: ID!, $hook_id: Int!) {
      result: hook(project: $id, id: $hook_id) { ...ProjectHookFields }
    }`,
    [projectHookFields],
  ),
});

const create = route({
  ...all,
  method: 'post',
  statuses: [422],
  params: z.object({ ...ref, ...projectHookParams }),
  document: graphql(
    `mutation CreateProjectHook($id: ID!, $hook: NewHook!) {
      result: createHook(project: $id, hook: $hook) { ...ProjectHookFields }
    }`,
    [projectHookFields],
  ),
  variables: ({ id, ...params }) => ({ id, hook: hookSettings(params) }),
});

const update = route({
  ...single,
  method: 'put',
  statuses: [422],
  params: hookRef.extend(projectHookParams),
  document: graphql(
    `mutation UpdateProjectHook($id: ID!, $hook_id: Int!, $change: HookChange!) {
      result: updateHook(project: $id, id: $hook_id, change: $change) { ...ProjectHookFields }
    }`,
    [projectHookFields],
  ),
  variables: ({ id, hook_id, ...params }) => ({ id, hook_id, change: hookSettings(params) }),
});

const remove = route({
  ...single,
  method: 'delete',
  params: hookRef,
  document: graphql(
    'mutation DeleteProjectHook($id: ID!, $hook_id: Int!) { deleteHook(project: $id, id: $hook_id) }',
  ),
});

export const projectHooks = [list, show, create, update, remove];
