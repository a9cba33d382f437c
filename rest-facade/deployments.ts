import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { environmentFields } from './entities/environment.ts';
import { job, jobFields } from './entities/job.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, shaped, shapeOf } from './kernel/shape.ts';

const fields = graphql(
  `fragment DeploymentFields on Deployment {
    id iid ref sha created_at: createdAt user { ...BasicUserFields }
    environment { ...EnvironmentFields } deployable: job { ...JobFields }
  }`,
  [basicUserFields, environmentFields, jobFields],
);

const deployment = shaped(
  changed('Deployment', fields, [], { deployable: shapeOf(job).nullable() }),
  (record: ResultOf<typeof fields>) => ({
    ...record,
    deployable: record.deployable && job(record.deployable),
  }),
);

const all = { path: '/projects/:id/deployments', access: 'signed in' } as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object({
    ...ref,
    order_by: p
      .mapped({ id: 'id', iid: 'iid', created_at: 'createdAt', ref: 'ref' } as const)
      .optional(),
    sort: p.choice(['asc', 'desc']).optional(),
  }),
  document: graphql(
    `query Deployments(
      $id: ID!, $order_by: DeploymentOrder, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: deployments(
        project: $id, orderBy: $order_by, sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...DeploymentFields } }
    }`,
    [fields],
  ),
  reshape: deployment,
});

const show = route({
  ...all,
  path: `${all.path}/:deployment_id`,
  method: 'get',
  params: z.object({ ...ref, deployment_id: p.id() }),
  document: graphql(
    `query Deployment($id: ID!, $deployment_id: Int!) {
      result: deployment(project: $id, id: $deployment_id) { ...DeploymentFields }
    }`,
    [fields],
  ),
  reshape: deployment,
});

export const deployments = [list, show];
