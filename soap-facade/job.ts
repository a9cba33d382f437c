import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/jobs';
const one = `${all}/:job_id` as const;
const latest = `${all}/artifacts/*ref_name` as const;

export const job: Resource = {
  name: 'job',
  title: 'Jobs',
  description: 'Traces and artifacts come as Base64, up to 8 megabytes.',
  noun: 'job',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the jobs of a project' },
    list_of_pipeline: {
      operation: 'GET /projects/:id/pipelines/:pipeline_id/jobs',
      title: 'List the jobs of a pipeline',
    },
    list_of_runner: { operation: 'GET /runners/:id/jobs', title: 'List the jobs a runner ran' },
    info: { operation: `GET ${one}`, title: 'Show a job' },
    cancel: { operation: `POST ${one}/cancel`, title: 'Cancel a job' },
    retry: { operation: `POST ${one}/retry`, title: 'Run a job again' },
    play: { operation: `POST ${one}/play`, title: 'Start a job that waits for somebody' },
    erase: { operation: `POST ${one}/erase`, title: 'Erase the trace and artifacts of a job' },
    trace: { operation: `GET ${one}/trace`, title: 'Get the trace of a job' },
    artifacts: { operation: `GET ${one}/artifacts`, title: 'Get the artifacts of a job' },
    artifact: {
      operation: `GET ${one}/artifacts/*artifact_path`,
      title: 'Get one file of the artifacts of a job',
    },
    latest_artifacts: {
      operation: `GET ${latest}/download`,
      title: 'Get the artifacts of the last job of a name on a branch',
    },
    latest_artifact: {
      operation: `GET ${latest}/raw/*artifact_path`,
      title: 'Get one file of the artifacts of the last job of a name on a branch',
    },
    keep_artifacts: {
      operation: `POST ${one}/artifacts/keep`,
      title: 'Keep the artifacts of a job from expiring',
    },
    delete_artifacts: {
      operation: `DELETE ${one}/artifacts`,
      title: 'Delete the artifacts of a job',
    },
  },
};
