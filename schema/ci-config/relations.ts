import type { CiFile, CiJob } from './ci-file.ts';

/** The first problem with references to stages and other jobs; null when there is none. */
export function relationFault({ stages, jobs }: CiFile): string | null {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  for (const job of jobs) {
    const fault =
      stageFault(job, stages) ?? dependencyFault(job, byName, stages) ?? stopFault(job, byName);
    if (fault !== null) return `${job.name} job: ${fault}`;
  }
  return null;
}

const stageFault = ({ stage }: CiJob, stages: readonly string[]): string | null =>
  stages.includes(stage) ? null : `stage parameter should be ${stages.join(', ')}`;

function dependencyFault(
  { stage, dependencies }: CiJob,
  byName: ReadonlyMap<string, CiJob>,
  stages: readonly string[],
): string | null {
  for (const name of dependencies ?? []) {
    const other = byName.get(name);
    if (!other) return `undefined dependency: ${name}`;
    if (stages.indexOf(other.stage) >= stages.indexOf(stage)) {
      return `dependency ${name} is not defined in prior stages`;
    }
  }
  return null;
}

function stopFault({ environment }: CiJob, byName: ReadonlyMap<string, CiJob>): string | null {
  const name = environment?.onStop ?? null;
  if (name === null) return null;
  const other = byName.get(name);
  if (!other) return `on_stop job ${name} is not defined`;
  if (!other.environment) return `on_stop job ${name} does not have environment defined`;
  if (other.environment.name !== environment?.name) {
    return `on_stop job ${name} have different environment name`;
  }
  return other.environment.action === 'stop'
    ? null
    : `on_stop job ${name} needs to have action stop defined`;
}
