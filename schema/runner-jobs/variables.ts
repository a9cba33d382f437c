import type { CiJob } from '../ci-config/ci-file.ts';
import { environmentSlug } from '../environments/slug.ts';
import { interfaceVersion, revision } from '../settings/version.ts';
import { expanded, slugOf } from './variable-values.ts';

/** An environment variable of a job. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  /** Whether runners may show it in traces. */
  readonly isPublic: boolean;
  /** Whether runners use the value as it is, without expanding `$NAME` in it. */
  readonly isRaw: boolean;
}

/** The data from which a job's variables are built. */
export interface VariableSources {
  readonly id: number;
  readonly token: string;
  readonly definition: CiJob;
  /** The slug of the job's environment, if it is not the one of its name. */
  readonly environmentSlug?: string;
  /** With the token. */
  readonly repositoryUrl: string;
  readonly project: {
    readonly id: number;
    readonly path: string;
    readonly fullPath: string;
    readonly url: string;
    readonly visibility: string;
  };
  /** Public base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly pipeline: {
    readonly id: number;
    readonly ref: string;
    readonly isTag: boolean;
    readonly sha: string;
    readonly beforeSha: string;
    /** Null: unknown. */
    readonly commitMessage: string | null;
    readonly source: string;
    readonly isTriggered: boolean;
  };
  readonly configPath: string;
  readonly runner: {
    readonly id: number;
    readonly description: string | null;
    readonly tags: readonly string[];
  };
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly username: string;
    readonly name: string;
  } | null;
  /** Of the groups, outermost first, then of the project. */
  readonly secrets: readonly { readonly key: string; readonly value: string }[];
  /** Variables given when the pipeline was created. */
  readonly given: Readonly<Record<string, string>>;
}

/** The variables of a job; later ones override earlier ones (v4-behaviour 5.4). */
export function jobVariables(sources: VariableSources): readonly JobVariable[] {
  const { definition, project, pipeline, runner, user, secrets, given } = sources;
  const [namespace] = project.fullPath.split(/\/(?=[^/]*$)/);
  const earlier = [
    ...predefined(sources),
    ...shown({
      CI_PROJECT_ID: project.id,
      CI_PROJECT_NAME: project.path,
      CI_PROJECT_PATH: project.fullPath,
      CI_PROJECT_PATH_SLUG: slugOf(project.fullPath),
      CI_PROJECT_NAMESPACE: namespace,
      CI_PROJECT_URL: project.url,
      CI_PROJECT_VISIBILITY: project.visibility,
      CI_API_V4_URL: `${sources.baseUrl}/api/v4`,
      CI_PIPELINE_ID: pipeline.id,
      CI_PIPELINE_URL: `${project.url}/-/pipelines/${pipeline.id}`,
      CI_CONFIG_PATH: sources.configPath,
      CI_PIPELINE_SOURCE: pipeline.source,
    }),
    ...commitTexts(pipeline.commitMessage),
    ...shown({
      CI_RUNNER_ID: runner.id,
      CI_RUNNER_DESCRIPTION: runner.description ?? '',
      CI_RUNNER_TAGS: runner.tags.join(', '),
      ...definition.variables,
      ...(user && {
        GITLAB_USER_ID: user.id,
        GITLAB_USER_EMAIL: user.email,
        GITLAB_USER_LOGIN: user.username,
        GITLAB_USER_NAME: user.name,
      }),
    }),
    ...secrets.map(({ key, value }) => ({ key, value, isPublic: false, isRaw: false })),
    ...hidden(given),
  ];
  return [...earlier, ...environment(sources, earlier)];
}

function predefined(sources: VariableSources): readonly JobVariable[] {
  const { id, token, definition, pipeline, repositoryUrl } = sources;
  const { name, stage } = definition;
  const slug = slugOf(pipeline.ref);
  const isManual = definition.when === 'manual';
  return [
    ...shown({
      CI: true,
      GITLAB_CI: true,
      CI_SERVER_NAME: 'Millrace',
      CI_SERVER_URL: sources.baseUrl,
      CI_SERVER_VERSION: interfaceVersion,
      CI_SERVER_REVISION: revision,
      CI_JOB_ID: id,
      CI_JOB_URL: `${sources.project.url}/-/jobs/${id}`,
      CI_JOB_NAME: name,
      CI_JOB_STAGE: stage,
    }),
    ...hidden({ CI_JOB_TOKEN: token }),
    ...shown({
      CI_COMMIT_SHA: pipeline.sha,
      CI_COMMIT_SHORT_SHA: pipeline.sha.slice(0, 8),
      CI_COMMIT_BEFORE_SHA: pipeline.beforeSha,
      CI_COMMIT_REF_NAME: pipeline.ref,
      CI_COMMIT_REF_SLUG: slug,
      ...(pipeline.isTag && { CI_COMMIT_TAG: pipeline.ref }),
    }),
    ...hidden({ CI_REPOSITORY_URL: repositoryUrl }),
    ...shown({ CI_REGISTRY_USER: 'gitlab-ci-token' }),
    ...hidden({ CI_REGISTRY_PASSWORD: token }),
    ...shown({
      ...(pipeline.isTriggered && { CI_PIPELINE_TRIGGERED: true }),
      ...(isManual && { CI_JOB_MANUAL: true }),
      // the names used before 9.0
      CI_BUILD_ID: id,
    }),
    ...hidden({ CI_BUILD_TOKEN: token }),
    ...shown({
      CI_BUILD_REF: pipeline.sha,
      CI_BUILD_BEFORE_SHA: pipeline.beforeSha,
      CI_BUILD_REF_NAME: pipeline.ref,
      CI_BUILD_REF_SLUG: slug,
      CI_BUILD_NAME: name,
      CI_BUILD_STAGE: stage,
      ...(pipeline.isTag && { CI_BUILD_TAG: pipeline.ref }),
      ...(pipeline.isTriggered && { CI_BUILD_TRIGGERED: true }),
      ...(isManual && { CI_BUILD_MANUAL: true }),
    }),
  ];
}

/** The variables of the job's environment, whose name and URL may refer to all earlier ones. */
function environment(
  { definition: { environment: declared }, environmentSlug: slug }: VariableSources,
  known: readonly JobVariable[],
): readonly JobVariable[] {
  if (!declared) return [];
  const values = new Map(known.map(({ key, value }) => [key, value]));
  const name = expanded(declared.name, values);
  const named = { CI_ENVIRONMENT_NAME: name, CI_ENVIRONMENT_SLUG: slug ?? environmentSlug(name) };
  if (declared.url === null) return shown(named);
  for (const [key, value] of Object.entries(named)) values.set(key, value);
  return shown({ ...named, CI_ENVIRONMENT_URL: expanded(declared.url, values) });
}

/** Longer titles are truncated on commit pages; the description is then the whole message. */
const longTitle = 100;

/**
 * Variables with the commit message; raw, so that a commit's author cannot read other variables by
 * naming them.
 */
function commitTexts(message: string | null): readonly JobVariable[] {
  if (message === null) return [];
  const [title = ''] = message.split(/[\r\n]/, 1);
  const end = message.indexOf('\n');
  const rest = end < 0 ? '' : message.slice(end + 1);
  return shown({
    CI_COMMIT_MESSAGE: message,
    CI_COMMIT_TITLE: title,
    CI_COMMIT_DESCRIPTION: title.length < longTitle ? rest.replace(/\n$/, '') : message,
  }).map((variable) => ({ ...variable, isRaw: true }));
}

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

const listed = (values: Values, isPublic: boolean): readonly JobVariable[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: String(value),
    isPublic,
    isRaw: false,
  }));

const shown = (values: Values) => listed(values, true);
const hidden = (values: Values) => listed(values, false);
