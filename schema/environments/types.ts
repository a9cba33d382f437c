import { Job } from '../jobs/types.ts';
import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

const EnvironmentState = builder.enumType('EnvironmentState', {
  description: 'Whether an environment runs.',
  values: {
    available: { description: 'The last job with it deployed.' },
    stopped: { description: 'A user or a job with `action: stop` stopped it.' },
  },
});

export const Environment = builder.prismaObject('Environment', {
  description:
    'Where jobs of a project deploy to, such as `production`. Only users with the access level REPORTER or higher see it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the environment.' }),
    name: t.exposeString('name', { description: 'The name, unique in the project.' }),
    slug: t.exposeString('slug', {
      description:
        'The name for host names: at most 24 lower-case letters, digits and dashes, unique in the project. It stays when the name changes.',
    }),
    externalUrl: t.exposeString('externalUrl', {
      nullable: true,
      description: 'Where users reach what is deployed; null if it is unknown.',
    }),
    state: t.expose('state', { type: EnvironmentState, description: 'Whether it runs.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    project: t.relation('project', { description: 'The project of the environment.' }),
  }),
});

export const Deployment = builder.prismaObject('Deployment', {
  description:
    'The success of a job with an environment. Only users with the access level REPORTER or higher see it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the deployment.' }),
    iid: t.exposeInt('iid', {
      description: 'The number of the deployment in its project, from 1 without gaps.',
    }),
    ref: t.exposeString('ref', { description: 'The branch or tag that was deployed.' }),
    isTag: t.exposeBoolean('isTag', { description: 'Whether `ref` is a tag.' }),
    sha: t.expose('sha', { type: 'SHA', description: 'The id of the commit that was deployed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the job ended.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    environment: t.relation('environment', { description: 'Where it was deployed to.' }),
    user: t.relation('user', {
      nullable: true,
      description: 'The user for whom the job ran; null for a deleted user.',
    }),
    job: t.relation('job', {
      type: Job,
      nullable: true,
      description: 'The job that deployed; null if it was deleted.',
    }),
  }),
});

export const EnvironmentPage = pageType('Environment', Environment);
export const DeploymentPage = pageType('Deployment', Deployment);
