import type { Transaction } from '../../prisma/client.ts';
import type { CiArtifacts, CiCache, CiImage, CiJob, CiService } from '../ci-config/ci-file.ts';
import type { Context } from '../kernel/context.ts';
import { ciPathOf } from '../pipelines/config.ts';
import type { CiStatus } from '../pipelines/status.ts';
import type { KnownRunner } from '../ports/known-runners.ts';
import { earlierJobs } from './earlier-jobs.ts';
import { type SealedSecret, sealedSecrets } from './secrets.ts';
import { type JobVariable, jobVariables, type VariableSources } from './variables.ts';

/** Seconds that a job may take. */
const timeout = 3_600;

/** One of the scripts of a job. */
export interface JobStep {
  readonly name: 'script' | 'after_script';
  readonly script: readonly string[];
  readonly timeout: number;
  readonly when: 'on_success' | 'always';
  readonly isAllowedToFail: boolean;
}

/** A job whose artifacts come before the script. */
export interface EarlierJob {
  readonly id: number;
  readonly name: string;
  /** By which they are fetched. */
  readonly token: string;
  readonly artifactsFile: string | null;
  /** Bytes. */
  readonly artifactsSize: bigint | null;
}

/** Everything that a runner has to know of a job (v4-behaviour 3.12). */
export interface JobOffer {
  readonly id: number;
  readonly token: string;
  readonly name: string;
  readonly stage: string;
  readonly projectId: number;
  readonly projectName: string;
  readonly repositoryUrl: string;
  readonly ref: string;
  readonly isTag: boolean;
  readonly sha: string;
  readonly beforeSha: string;
  /** Seconds. */
  readonly timeout: number;
  readonly variables: readonly JobVariable[];
  readonly steps: readonly JobStep[];
  readonly image: CiImage | null;
  readonly services: readonly CiService[];
  readonly artifacts: CiArtifacts | null;
  readonly cache: CiCache | null;
  readonly dependencies: readonly EarlierJob[];
}

interface Waiting {
  readonly status: CiStatus;
  readonly stageIndex: number;
  readonly pipelineId: number;
  readonly definition: CiJob;
  readonly project: {
    readonly id: number;
    readonly name: string;
    readonly path: string;
    readonly fullPath: string;
    readonly ciConfigPath: string | null;
  };
  readonly pipeline: {
    readonly id: number;
    readonly ref: string;
    readonly isTag: boolean;
    readonly sha: string;
    readonly beforeSha: string;
    readonly source: string;
    readonly variablesSealed: string | null;
  };
  readonly user: VariableSources['user'];
  readonly secrets: readonly SealedSecret[];
}

/** All of it as one text: taken apart column by column it would cost more than to find it. */
async function readWaiting(
  tx: Pick<Transaction, '$queryRaw'>,
  id: number,
): Promise<Waiting | null> {
  const [row] = await tx.$queryRaw<{ waiting: string }[]>`
    SELECT json_build_object(
      'status', job.status, 'stageIndex', job.stage_index, 'pipelineId', job.pipeline_id,
      'definition', job.definition,
      'project', json_build_object('id', project.id, 'name', project.name, 'path', project.path,
        'fullPath', project.full_path, 'ciConfigPath', project.ci_config_path),
      'pipeline', json_build_object('id', pipeline.id, 'ref', pipeline.ref,
        'isTag', pipeline.is_tag, 'sha', pipeline.sha, 'beforeSha', pipeline.before_sha,
        'source', pipeline.source, 'variablesSealed', pipeline.variables_sealed),
      'user', (SELECT json_build_object('id', id, 'email', email, 'username', username, 'name', name)
        FROM users WHERE users.id = job.user_id),
      'secrets', ${sealedSecrets}
    )::text AS waiting
    FROM jobs job
    JOIN projects project ON project.id = job.project_id
    JOIN pipelines pipeline ON pipeline.id = job.pipeline_id
    WHERE job.id = ${id}`;
  return row ? (JSON.parse(row.waiting) as Waiting) : null;
}

/**
 * Reads what a runner is told of the job `id`, with the token it speaks for it by, and gives what makes
 * an offer of it; null: the job does not wait. The making throws where what was kept cannot be read.
 */
export async function readOffer(
  tx: Transaction,
  id: number,
  { runner, token }: { readonly runner: KnownRunner; readonly token: string },
  { baseUrl, secrets }: Pick<Context, 'baseUrl' | 'secrets'>,
): Promise<(() => JobOffer) | null> {
  const job = await readWaiting(tx, id);
  if (job?.status !== 'pending') return null;
  const { pipeline, project, definition } = job;
  const repositoryUrl = repositoryUrlOf(baseUrl, project.fullPath, token);
  const sealed = pipeline.variablesSealed;
  const earlier = await earlierJobs(tx, job, definition.dependencies);
  return () => ({
    id,
    token,
    name: definition.name,
    stage: definition.stage,
    projectId: project.id,
    projectName: project.name,
    repositoryUrl,
    ref: pipeline.ref,
    isTag: pipeline.isTag,
    sha: pipeline.sha,
    beforeSha: pipeline.beforeSha,
    timeout,
    variables: jobVariables({
      id,
      token,
      definition,
      repositoryUrl,
      project: { ...project, url: `${baseUrl}/${project.fullPath}` },
      pipeline: { ...pipeline, isTriggered: pipeline.source === 'trigger' },
      configPath: ciPathOf(project),
      runner,
      user: job.user,
      secrets: job.secrets.map(({ key, valueSealed }) => ({
        key,
        value: secrets.open(valueSealed),
      })),
      given: sealed === null ? {} : (JSON.parse(secrets.open(sealed)) as Record<string, string>),
    }),
    steps: stepsOf(definition),
    image: definition.image,
    services: definition.services,
    artifacts: definition.artifacts,
    cache: definition.cache,
    dependencies: earlier.map(({ tokenSealed, ...one }) => ({
      ...one,
      token: secrets.open(tokenSealed ?? ''),
    })),
  });
}

function stepsOf({ script, afterScript }: CiJob): readonly JobStep[] {
  const own = {
    name: 'script',
    script,
    timeout,
    when: 'on_success',
    isAllowedToFail: false,
  } as const;
  if (!afterScript?.length) return [own];
  const after = { timeout, when: 'always', isAllowedToFail: true } as const;
  return [own, { ...after, name: 'after_script', script: afterScript }];
}

function repositoryUrlOf(baseUrl: string, fullPath: string, token: string): string {
  const url = new URL(`${baseUrl}/${fullPath}.git`);
  url.username = 'gitlab-ci-token';
  url.password = token;
  return url.href;
}
