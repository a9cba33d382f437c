import type { CiFile, CiJob } from './ci-file.ts';

/** The first problem with references to stages and other jobs; null when there is none. */
export function relationFault({ stages, jobs }: CiFile): string | null {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const indexes = firstIndexes(stages);
  const stageFault = ({ stage }: CiJob): string | null =>
    indexes.has(stage) ? null : `stage parameter should be ${stages.join(', ')}`;
  for (const job of jobs) {
    const fault =
      stageFault(job) ?? dependencyFault(job, byName, indexes) ?? stopFault(job, byName);
    if (fault !== null) return `${job.name} job: ${fault}`;
  }
  return null;
}

/** The index of each text where it occurs first. */
export function firstIndexes(texts: readonly string[]): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, text] of texts.entries()) if (!indexes.has(text)) indexes.set(text, index);
  return indexes;
}

function dependencyFault(
  { stage, dependencies }: CiJob,
  byName: ReadonlyMap<string, CiJob>,
  stageIndexes: ReadonlyMap<string, number>,
): string | null {
  const indexOf = (name: string) => stageIndexes.get(name) ?? -1;
  for (const name of dependencies ?? []) {
    const other = byName.get(name);
    if (!other) return `undefined dependency: ${name}`;
    if (indexOf(other.stage) >= indexOf(stage)) {
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
