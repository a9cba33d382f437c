import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { pipelineProjectOf } from '../pipelines/find.ts';
import { projectOfRecord } from '../projects/find.ts';

const JobNode = defineRecord('Job', {
  model: 'job',
  select: (ctx) => ({ id: true, projectId: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => pipelineProjectOf(project, ctx),
});

interface JobOfProject {
  readonly id: number;
  readonly projectId: number;
}

const projectOf = ({ projectId }: JobOfProject) => String(projectId);
const idOf = ({ id }: JobOfProject) => id;

/** For fields of a job by project and id. */
export const byJob = byRecord(JobNode, { project: projectOf, id: idOf });

/** The same for subscriptions, whose argument is `job`. */
export const updatesByJob = byRecord(JobNode, { project: projectOf, job: idOf });

/** For events that belong to a job and are not one. */
export const byJobId = byRecord(JobNode, { project: projectOf, job: idOf }, 'jobId');
