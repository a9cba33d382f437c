import type { Resource } from '../kernel/resource.ts';

const all = '/projects/:id/jobs';
const path = `${all}/:job_id` as const;
const latest = `${all}/artifacts/*ref_name` as const;

export const job: Resource = {
  name: 'job',
  title: 'Jobs',
  description: 'Results contain traces and artifacts as Base64, up to 8 megabytes.',
  methods: {
    list: [`GET ${all}`, 'List the jobs of a project'],
    list_of_pipeline: [
      'GET /projects/:id/pipelines/:pipeline_id/jobs',
      'List the jobs of a pipeline',
    ],
    list_of_runner: ['GET /runners/:id/jobs', 'List the jobs of a runner'],
    info: [`GET ${path}`, 'Show a job'],
    cancel: [`POST ${path}/cancel`, 'Cancel a job'],
    retry: [`POST ${path}/retry`, 'Retry a job'],
    play: [`POST ${path}/play`, 'Start a manual job'],
    erase: [`POST ${path}/erase`, 'Erase the trace and artifacts of a job'],
    trace: [`GET ${path}/trace`, 'Get the trace of a job'],
    artifacts: [`GET ${path}/artifacts`, 'Get the artifacts of a job'],
    artifact: [`GET ${path}/artifacts/*artifact_path`, 'Get one file of the artifacts of a job'],
    latest_artifacts: [
      `GET ${latest}/download`,
      'Get the artifacts of the latest job of a name on a branch',
    ],
    latest_artifact: [
      `GET ${latest}/raw/*artifact_path`,
      'Get one file of the artifacts of the latest job of a name on a branch',
    ],
    keep_artifacts: [`POST ${path}/artifacts/keep`, 'Keep the artifacts of a job from expiring'],
    delete_artifacts: [`DELETE ${path}/artifacts`, 'Delete the artifacts of a job'],
  },
};
