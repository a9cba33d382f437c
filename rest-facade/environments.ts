import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { environmentFields } from './entities/environment.ts';
import { simpleProjectFields } from './entities/project.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { withoutParameter } from './kernel/rules.ts';

const fields = graphql(
  `fragment EnvironmentDetailFields on Environment {
    ...EnvironmentFields project { ...SimpleProjectFields }
  }`,
  [environmentFields, simpleProjectFields],
);

const all = { path: '/projects/:id/environments', access: 'signed in' } as const;
const single = { ...all, path: `${all.path}/:environment_id` } as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object(ref),
  document: graphql(
    `query Environments($id: ID!, $page: Int, $perPage: Int) {
      page: environments(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...EnvironmentDetailFields }
      }
    }`,
    [fields],
  ),
});

const slug = p.text().optional().describe('Not allowed: the service generates it.');
const generated = 'is automatically generated and cannot be changed';

const create = route({
  ...all,
  method: 'post',
  params: withoutParameter(
    z.object({ ...ref, name: p.text(), external_url: p.orNone(p.text()).optional(), slug }),
    'slug',
    generated,
  ),
  document: graphql(
    `mutation CreateEnvironment($id: ID!, $name: String!, $external_url: String) {
      result: createEnvironment(project: $id, name: $name, externalUrl: $external_url) {
        ...EnvironmentDetailFields
      }
    }`,
    [fields],
  ),
  variables: ({ slug: _, ...given }) => given,
});

const params = z.object({ ...ref, environment_id: p.id() });

const show = route({
  ...single,
  method: 'get',
  description: 'From GitLab 11.11.',
  params,
  document: graphql(
    `query Environment($id: ID!, $environment_id: Int!) {
      result: environment(project: $id, id: $environment_id) { ...EnvironmentDetailFields }
    }`,
    [fields],
  ),
});

const update = route({
  ...single,
  method: 'put',
  params: withoutParameter(
    params.extend({
      name: p.text().optional(),
      external_url: p.orNone(p.text()).optional(),
      slug,
    }),
    'slug',
    generated,
  ),
  document: graphql(
    `mutation UpdateEnvironment(
      $id: ID!, $environment_id: Int!, $name: String, $external_url: String
    ) {
      result: updateEnvironment(
        project: $id, id: $environment_id, name: $name, externalUrl: $external_url
      ) { ...EnvironmentDetailFields }
    }`,
    [fields],
  ),
  variables: ({ slug: _, ...given }) => given,
});

const stop = route({
  method: 'post',
  path: '/projects/:id/environments/:environment_id/stop',
  access: 'signed in',
  status: 200,
  params,
  document: graphql(
    `mutation StopEnvironment($id: ID!, $environment_id: Int!) {
      result: stopEnvironment(project: $id, id: $environment_id) { ...EnvironmentDetailFields }
    }`,
    [fields],
  ),
});

const remove = route({
  ...single,
  method: 'delete',
  params,
  document: graphql(
    `mutation DeleteEnvironment($id: ID!, $environment_id: Int!) {
      deleteEnvironment(project: $id, id: $environment_id)
    }`,
  ),
});

export const environments = [list, show, create, update, stop, remove];
