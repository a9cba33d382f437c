import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { simpleProjectFields } from './entities/project.ts';
import { runnerFields } from './entities/runner.ts';
import { p, ref } from './kernel/params.ts';
import { type PathParams, route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const detailFields = graphql(
  `fragment RunnerDetailFields on Runner {
    id description active: isActive is_shared: isShared name
    tag_list: tagList run_untagged: runUntagged locked: isLocked access_level: access
    version revision platform architecture contacted_at: contactedAt token
    projects: allProjects { ...SimpleProjectFields }
  }`,
  [simpleProjectFields],
);

const details = shaped(
  changed('RunnerDetails', detailFields, [], { token: s.text().optional() }),
  (record: ResultOf<typeof detailFields>) => ({
    ...record,
    token: record.token ?? undefined,
  }),
);

const everyScope = p.choice(['specific', 'shared', 'active', 'paused', 'online']).optional();

const own = route({
  method: 'get',
  path: '/runners',
  access: 'signed in',
  params: z.object({ scope: p.choice(['active', 'paused', 'online']).optional() }),
  document: graphql(
    `query Runners($scope: RunnerScope, $page: Int, $perPage: Int) {
      page: runners(filter: { scope: $scope }, page: $page, perPage: $perPage) { total nodes { ...RunnerFields } }
    }`,
    [runnerFields],
  ),
});

const all = route({
  method: 'get',
  path: '/runners/all',
  access: 'admin',
  params: z.object({ scope: everyScope }),
  document: graphql(
    `query AllRunners($scope: RunnerScope, $page: Int, $perPage: Int) {
      page: allRunners(filter: { scope: $scope }, page: $page, perPage: $perPage) { total nodes { ...RunnerFields } }
    }`,
    [runnerFields],
  ),
});

const single = { path: '/runners/:id', access: 'signed in' } as const;
const runnerParams = { id: p.id() };

const show = route({
  ...single,
  method: 'get',
  params: z.object(runnerParams),
  document: graphql(
    'query Runner($id: Int!) { result: runner(id: $id) { ...RunnerDetailFields } }',
    [detailFields],
  ),
  reshape: details,
});

const update = route({
  ...single,
  method: 'put',
  params: atLeastOne(
    z.object({
      ...runnerParams,
      description: p.orNone(p.text()).optional(),
      active: p.flag().optional(),
      tag_list: p.list().optional(),
      run_untagged: p.flag().optional(),
      locked: p.flag().optional(),
      access_level: p.choice(['not_protected', 'ref_protected']).optional(),
    }),
    'description',
    'active',
    'tag_list',
    'run_untagged',
    'locked',
    'access_level',
  ),
  document: graphql(
    `mutation UpdateRunner($id: Int!, $settings: RunnerSettings!) {
      result: updateRunner(id: $id, settings: $settings) { ...RunnerDetailFields }
    }`,
    [detailFields],
  ),
  variables: ({ id, ...given }) => ({
    id,
    settings: {
      description: given.description,
      isActive: given.active,
      tagList: given.tag_list,
      runUntagged: given.run_untagged,
      isLocked: given.locked,
      access: given.access_level,
    },
  }),
  reshape: details,
});

const remove = route({
  ...single,
  method: 'delete',
  params: z.object(runnerParams),
  document: graphql('mutation DeleteRunner($id: Int!) { deleteRunner(id: $id) }'),
});

// permission is checked before the parameters
const before = {
  document: graphql(
    `query ManageableRunners($project: ID!) { projectRunners(project: $project) { __typename } }`,
  ),
  variables: ({ id = '' }: PathParams) => ({ project: id }),
};

const ofProject = { path: '/projects/:id/runners', access: 'signed in', before } as const;
const enabled = { ...ref, runner_id: p.id() };

const list = route({
  ...ofProject,
  method: 'get',
  params: z.object({ ...ref, scope: everyScope }),
  document: graphql(
    `query ProjectRunners($id: ID!, $scope: RunnerScope, $page: Int, $perPage: Int) {
      page: projectRunners(project: $id, filter: { scope: $scope }, page: $page, perPage: $perPage) {
        total nodes { ...RunnerFields }
      }
    }`,
    [runnerFields],
  ),
});

const enable = route({
  ...ofProject,
  method: 'post',
  statuses: [409],
  params: z.object(enabled),
  document: graphql(
    `mutation EnableRunner($id: ID!, $runner_id: Int!) {
      result: enableRunner(project: $id, id: $runner_id) { ...RunnerFields }
    }`,
    [runnerFields],
  ),
});

const disable = route({
  ...ofProject,
  path: '/projects/:id/runners/:runner_id',
  method: 'delete',
  params: z.object(enabled),
  document: graphql(
    `mutation DisableRunner($id: ID!, $runner_id: Int!) { disableRunner(project: $id, id: $runner_id) { id } }`,
  ),
});

export const runners = [own, all, show, update, remove, list, enable, disable];
