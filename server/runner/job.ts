import { z } from 'zod';

const text = z.string();
const words = z
  .array(text)
  .nullish()
  .transform((list) => list ?? []);

const variable = z.object({
  key: text,
  value: z.coerce.string(),
  public: z.boolean().nullish(),
  /** The value is written to a file, whose path becomes the variable. */
  file: z.boolean().nullish(),
  /** Variables in the value are not expanded. */
  raw: z.boolean().nullish(),
});

const step = z.object({
  name: text,
  script: words,
  /** Seconds; null or 0: no limit but the job's. */
  timeout: z.number().nullish(),
  when: text.nullish(),
  allow_failure: z.boolean().nullish(),
});

const artifacts = z.object({
  name: text.nullish(),
  untracked: z.boolean().nullish(),
  paths: words,
  when: text.nullish(),
  expire_in: text.nullish(),
});

const cache = z.object({
  key: text.nullish(),
  untracked: z.boolean().nullish(),
  paths: words,
  policy: text.nullish(),
});

const dependency = z.object({
  id: z.number().int(),
  name: text,
  token: text,
  artifacts_file: z.object({ filename: text, size: z.number().nullish() }).nullish(),
});

const listed = <T extends z.ZodType>(item: T) =>
  z
    .array(item.nullable())
    .nullish()
    .transform((list) => (list ?? []).filter((entry) => entry !== null));

/** A job as the service sends it (v4-behaviour 3.12); unknown fields are ignored. */
export const jobShape = z.object({
  id: z.number().int().positive(),
  token: text.min(1),
  allow_git_fetch: z.boolean().nullish(),
  job_info: z.object({
    name: text,
    stage: text,
    project_id: z.number().int().positive(),
    project_name: text,
  }),
  git_info: z.object({
    repo_url: text,
    ref: text,
    sha: text.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
    before_sha: text.nullish(),
    ref_type: text.nullish(),
  }),
  runner_info: z.object({ timeout: z.number() }).nullish(),
  variables: listed(variable),
  steps: listed(step),
  image: z.object({ name: text }).nullish(),
  services: listed(z.object({ name: text })),
  artifacts: listed(artifacts),
  cache: listed(cache),
  dependencies: listed(dependency),
});

export type HandedJob = z.output<typeof jobShape>;
export type JobVariable = z.output<typeof variable>;
export type JobStep = z.output<typeof step>;
export type JobArtifacts = z.output<typeof artifacts>;
export type JobCache = z.output<typeof cache>;
export type JobDependency = z.output<typeof dependency>;

/** Failure reasons of the protocol. */
export type FailureReason = 'script_failure' | 'runner_system_failure' | 'job_execution_timeout';
