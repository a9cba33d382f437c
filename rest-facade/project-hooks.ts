import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { hookFields, hookParams, projectHook } from './entities/hook.ts';
import { p, ref } from './kernel/params.ts';
import { type PathParams, route } from './kernel/route.ts';

const one = { ...ref, hook_id: p.id() };

const settings = z.object({
  ...ref,
  ...hookParams,
  issues_events: p.flag().optional(),
  confidential_issues_events: p.flag().optional(),
  note_events: p.flag().optional(),
  pipeline_events: p.flag().optional(),
  job_events: p.flag().optional(),
  wiki_page_events: p.flag().optional(),
});

const settingsOf = (params: z.infer<typeof settings>) => ({
  url: params.url,
  token: params.token,
  verifiesSsl: params.enable_ssl_verification,
  onPush: params.push_events,
  onTagPush: params.tag_push_events,
  onRepositoryUpdate: params.repository_update_events,
  onMergeRequest: params.merge_requests_events,
  onIssue: params.issues_events,
  onConfidentialIssue: params.confidential_issues_events,
  onNote: params.note_events,
  onPipeline: params.pipeline_events,
  onJob: params.job_events,
  onWikiPage: params.wiki_page_events,
});

// permission is checked before the parameters
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
    `query ProjectHooks($project: ID!, $page: Int, $perPage: Int) {
      page: hooks(project: $project, page: $page, perPage: $perPage) { total nodes { ...HookFields } }
    }`,
    [hookFields],
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
  reshape: projectHook,
});

const show = route({
  ...single,
  method: 'get',
  params: z.object(one),
  document: graphql(
    `query ProjectHook($project: ID!, $id: Int!) {
      result: hook(project: $project, id: $id) { ...HookFields }
    }`,
    [hookFields],
  ),
  variables: ({ id, hook_id }) => ({ project: id, id: hook_id }),
  reshape: projectHook,
});

const create = route({
  ...all,
  method: 'post',
  params: settings,
  document: graphql(
    `mutation CreateProjectHook($project: ID!, $settings: HookSettings!) {
      result: createHook(project: $project, settings: $settings) { ...HookFields }
    }`,
    [hookFields],
  ),
  variables: (params) => ({ project: params.id, settings: settingsOf(params) }),
  reshape: projectHook,
});

const update = route({
  ...single,
  method: 'put',
  params: settings.extend(one),
  document: graphql(
    `mutation UpdateProjectHook($project: ID!, $id: Int!, $settings: HookSettings!) {
      result: updateHook(project: $project, id: $id, settings: $settings) { ...HookFields }
    }`,
    [hookFields],
  ),
  variables: (params) => ({
    project: params.id,
    id: params.hook_id,
    settings: settingsOf(params),
  }),
  reshape: projectHook,
});

const remove = route({
  ...single,
  method: 'delete',
  params: z.object(one),
  document: graphql(
    `mutation DeleteProjectHook($project: ID!, $id: Int!) { deleteHook(project: $project, id: $id) }`,
  ),
  variables: ({ id, hook_id }) => ({ project: id, id: hook_id }),
});

export const projectHooks = [list, show, create, update, remove];
