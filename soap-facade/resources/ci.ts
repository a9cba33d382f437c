import type { Resource } from '../kernel/resource.ts';

export const commitStatus: Resource = {
  name: 'commit_status',
  title: 'Commit statuses',
  noun: 'status',
  methods: {
    list: ['GET /projects/:id/repository/commits/:sha/statuses', 'List the statuses of a commit'],
    create: ['POST /projects/:id/statuses/:sha', 'Set a status of a commit'],
  },
};

export const ci: Resource = {
  name: 'ci',
  title: 'CI configuration files',
  noun: 'file',
  methods: {
    lint: ['POST /ci/lint', 'Validate a CI configuration file'],
    lint_project: ['POST /projects/:id/ci/lint', 'Validate a CI configuration file for a project'],
    lint_project_file: [
      'GET /projects/:id/ci/lint',
      'Validate the CI configuration file of a project',
    ],
  },
};

const environments = '/projects/:id/environments';

export const environment: Resource = {
  name: 'environment',
  title: 'Environments',
  methods: {
    list: [`GET ${environments}`, 'List the environments of a project'],
    info: [`GET ${environments}/:environment_id`, 'Show an environment of a project'],
    create: [`POST ${environments}`, 'Create an environment of a project'],
    update: [`PUT ${environments}/:environment_id`, 'Update an environment of a project'],
    stop: [
      `POST ${environments}/:environment_id/stop`,
      'Stop an environment and start its stop job',
    ],
    delete: [`DELETE ${environments}/:environment_id`, 'Delete an environment of a project'],
  },
};

export const deployment: Resource = {
  name: 'deployment',
  title: 'Deployments',
  methods: {
    list: ['GET /projects/:id/deployments', 'List the deployments of a project'],
    info: ['GET /projects/:id/deployments/:deployment_id', 'Show a deployment of a project'],
  },
};
