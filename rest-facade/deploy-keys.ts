import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { sshKeyFields } from './entities/ssh-key.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const fields = graphql(
  'fragment DeployKeyFields on DeployKey { key: sshKey { ...SshKeyFields } can_push: canPush }',
  [sshKeyFields],
);

const deployKey = shaped(
  changed('DeployKey', sshKeyFields, [], {
    can_push: s.flag().describe('Whether the key may push.'),
  }),
  ({ key, can_push }: ResultOf<typeof fields>) => ({ ...key, can_push }),
);

const everywhere = route({
  method: 'get',
  path: '/deploy_keys',
  access: 'admin',
  params: z.object({}),
  document: graphql(
    `query AllDeployKeys($page: Int, $perPage: Int) {
      page: allDeployKeys(page: $page, perPage: $perPage) {
        total nodes { ...SshKeyFields can_push: canPush }
      }
    }`,
    [sshKeyFields],
  ),
});

const all = { access: 'signed in', path: '/projects/:id/deploy_keys' } as const;
const single = { access: 'signed in', path: '/projects/:id/deploy_keys/:key_id' } as const;
const keyRef = { ...ref, key_id: p.id() };

const list = route({
  ...all,
  method: 'get',
  params: z.object(ref),
  document: graphql(
    `query DeployKeys($id: ID!, $page: Int, $perPage: Int) {
      page: deployKeys(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...DeployKeyFields }
      }
    }`,
    [fields],
  ),
  reshape: deployKey,
});

const show = route({
  ...single,
  method: 'get',
  params: z.object(keyRef),
  document: graphql(
    `query DeployKey($id: ID!, $key_id: Int!) {
      result: deployKey(project: $id, id: $key_id) { ...DeployKeyFields }
    }`,
    [fields],
  ),
  reshape: deployKey,
});

const create = route({
  ...all,
  method: 'post',
  params: z.object({ ...ref, title: p.text(), key: p.text(), can_push: p.flag().optional() }),
  document: graphql(
    `mutation AddDeployKey($id: ID!, $title: String!, $key: String!, $can_push: Boolean) {
      result: addDeployKey(project: $id, title: $title, key: $key, canPush: $can_push) {
        ...DeployKeyFields
      }
    }`,
    [fields],
  ),
  reshape: deployKey,
});

const update = route({
  ...single,
  method: 'put',
  params: atLeastOne(
    z.object({ ...keyRef, title: p.text().optional(), can_push: p.flag().optional() }),
    'title',
    'can_push',
  ),
  document: graphql(
    `mutation UpdateDeployKey($id: ID!, $key_id: Int!, $title: String, $can_push: Boolean) {
      result: updateDeployKey(project: $id, sshKeyId: $key_id, title: $title, canPush: $can_push) {
        ...DeployKeyFields
      }
    }`,
    [fields],
  ),
  reshape: deployKey,
});

const remove = route({
  ...single,
  method: 'delete',
  params: z.object(keyRef),
  document: graphql(
    `mutation RemoveDeployKey($id: ID!, $key_id: Int!) {
      removeDeployKey(project: $id, sshKeyId: $key_id)
    }`,
  ),
});

const enable = route({
  access: 'signed in',
  path: `${single.path}/enable`,
  method: 'post',
  params: z.object(keyRef),
  document: graphql(
    `mutation EnableDeployKey($id: ID!, $key_id: Int!) {
      result: enableDeployKey(project: $id, sshKeyId: $key_id) { ...DeployKeyFields }
    }`,
    [fields],
  ),
  reshape: deployKey,
});

/** Keys of projects, not of users (v4-behaviour 3.9). */
export const deployKeys = [everywhere, list, show, create, update, remove, enable];
