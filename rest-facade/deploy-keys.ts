import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { sshKey, sshKeyFields } from './entities/ssh-key.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const fields = graphql(
  'fragment DeployKeyFields on DeployKey { canPush key { ...SshKeyFields } }',
  [sshKeyFields],
);

const deployKey = ({ key, canPush }: ResultOf<typeof fields>) => ({
  ...sshKey(key),
  can_push: canPush,
});

const everywhere = route({
  method: 'get',
  path: '/deploy_keys',
  access: 'admin',
  params: z.object({}),
  document: graphql(
    `query AllDeployKeys($page: Int, $perPage: Int) {
      page: allDeployKeys(page: $page, perPage: $perPage) { total nodes { ...SshKeyFields canPush } }
    }`,
    [sshKeyFields],
  ),
  reshape: (key) => ({ ...sshKey(key), can_push: key.canPush }),
});

const all = { access: 'signed in', path: '/projects/:id/deploy_keys' } as const;
const single = { access: 'signed in', path: '/projects/:id/deploy_keys/:key_id' } as const;
const one = { ...ref, key_id: p.id() };

const list = route({
  ...all,
  method: 'get',
  params: z.object(ref),
  document: graphql(
    `query DeployKeys($project: ID!, $page: Int, $perPage: Int) {
      page: deployKeys(project: $project, page: $page, perPage: $perPage) {
        total nodes { ...DeployKeyFields }
      }
    }`,
    [fields],
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
  reshape: deployKey,
});

const show = route({
  ...single,
  method: 'get',
  params: z.object(one),
  document: graphql(
    `query DeployKey($project: ID!, $id: Int!) {
      result: deployKey(project: $project, id: $id) { ...DeployKeyFields }
    }`,
    [fields],
  ),
  variables: ({ id: project, key_id: id }) => ({ project, id }),
  reshape: deployKey,
});

const create = route({
  ...all,
  method: 'post',
  params: z.object({ ...ref, title: p.text(), key: p.text(), can_push: p.flag().optional() }),
  document: graphql(
    `mutation AddDeployKey($project: ID!, $title: String!, $key: String!, $canPush: Boolean) {
      result: addDeployKey(project: $project, title: $title, key: $key, canPush: $canPush) {
        ...DeployKeyFields
      }
    }`,
    [fields],
  ),
  variables: ({ id, title, key, can_push: canPush }) => ({ project: id, title, key, canPush }),
  reshape: deployKey,
});

const update = route({
  ...single,
  method: 'put',
  params: atLeastOne(
    z.object({ ...one, title: p.text().optional(), can_push: p.flag().optional() }),
    'title',
    'can_push',
  ),
  document: graphql(
    `mutation UpdateDeployKey($project: ID!, $id: Int!, $title: String, $canPush: Boolean) {
      result: updateDeployKey(project: $project, id: $id, title: $title, canPush: $canPush) {
        ...DeployKeyFields
      }
    }`,
    [fields],
  ),
  variables: ({ id: project, key_id: id, title, can_push: canPush }) => ({
    project,
    id,
    title,
    canPush,
  }),
  reshape: deployKey,
});

const remove = route({
  ...single,
  method: 'delete',
  params: z.object(one),
  document: graphql(
    `mutation RemoveDeployKey($project: ID!, $id: Int!) {
      removeDeployKey(project: $project, id: $id)
    }`,
  ),
  variables: ({ id: project, key_id: id }) => ({ project, id }),
});

const enable = route({
  access: 'signed in',
  path: `${single.path}/enable`,
  method: 'post',
  params: z.object(one),
  document: graphql(
    `mutation EnableDeployKey($project: ID!, $id: Int!) {
      result: enableDeployKey(project: $project, id: $id) { ...DeployKeyFields }
    }`,
    [fields],
  ),
  variables: ({ id: project, key_id: id }) => ({ project, id }),
  reshape: deployKey,
});

/** Keys of projects, not of users (v4-behaviour 3.9). */
export const deployKeys = [everywhere, list, show, create, update, remove, enable];
