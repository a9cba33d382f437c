import type { CiArtifacts, CiCache, CiImage, CiJob, CiService } from '../ci-config/ci-file.ts';
import type { Context } from '../kernel/context.ts';
import { ciPathOf } from '../pipelines/config.ts';
import type { CachedRunner } from '../ports/runner-cache.ts';
import { gitSources } from './git-sources.ts';
import type { OfferSources } from './offer-sources.ts';
import { type JobVariable, jobVariables } from './variables.ts';

/** A script of a job. */
export interface JobStep {
  readonly name: 'script' | 'after_script';
  readonly script: readonly string[];
  readonly timeout: number;
  readonly when: 'on_success' | 'always';
  readonly isAllowedToFail: boolean;
}

/** A job whose artifacts are downloaded before the script. */
export interface EarlierJob {
  readonly id: number;
  readonly name: string;
  /** The token for the download. */
  readonly token: string;
  readonly artifactsFile: string | null;
  /** Bytes. */
  readonly artifactsSize: bigint | null;
}

/** The data of a job that its runner receives (v4-behaviour 3.12). */
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
  readonly refspecs: readonly string[];
  /** Commits of history to fetch; 0: all. */
  readonly depth: number;
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

/** The runner that receives an offer. */
export interface Offered {
  readonly runner: CachedRunner;
  /** The job token. */
  readonly token: string;
}

/** The offer for a runner. Throws when a sealed value cannot be opened. */
export function offerOf(
  { id, pipeline, project, definition, environmentSlug, user, ...sealed }: OfferSources,
  { runner, token }: Offered,
  { baseUrl, secrets }: Pick<Context, 'baseUrl' | 'secrets'>,
): JobOffer {
  const repositoryUrl = repositoryUrlOf(baseUrl, project.fullPath, token);
  const { buildTimeout: timeout } = project;
  const given = pipeline.variablesSealed;
  const variables = jobVariables({
    id,
    token,
    definition,
    ...(environmentSlug !== undefined && { environmentSlug }),
    repositoryUrl,
    baseUrl,
    project: { ...project, url: `${baseUrl}/${project.fullPath}` },
    pipeline: { ...pipeline, isTriggered: pipeline.source === 'trigger' },
    configPath: ciPathOf(project),
    runner,
    user,
    secrets: sealed.secrets.map(({ key, valueSealed }) => ({
      key,
      value: secrets.open(valueSealed),
    })),
    given: given === null ? {} : (JSON.parse(secrets.open(given)) as Record<string, string>),
  });
  return {
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
    ...gitSources(pipeline, variables),
    timeout,
    variables,
    steps: stepsOf(definition, timeout),
    image: definition.image,
    services: definition.services,
    artifacts: definition.artifacts,
    cache: definition.cache,
    dependencies: sealed.earlier.map(({ tokenSealed, artifactsSize, ...job }) => ({
      ...job,
      token: secrets.open(tokenSealed),
      artifactsSize: artifactsSize === null ? null : BigInt(artifactsSize),
    })),
  };
}

function stepsOf({ script, afterScript }: CiJob, timeout: number): readonly JobStep[] {
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
