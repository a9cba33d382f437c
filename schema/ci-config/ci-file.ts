/** A checked CI file with defaults applied (v4-behaviour 5.1). */
export interface CiFile {
  /** In the order in which they run. */
  readonly stages: readonly string[];
  /** In the order of the file, without hidden ones. */
  readonly jobs: readonly CiJob[];
}

export interface CiJob {
  readonly name: string;
  readonly stage: string;
  /** The `before_script` of the file or the job. */
  readonly script: readonly string[];
  /** Null: none. */
  readonly afterScript: readonly string[] | null;
  readonly image: CiImage | null;
  readonly services: readonly CiService[];
  readonly tags: readonly string[];
  readonly when: CiWhen;
  readonly isAllowedToFail: boolean;
  /** The file's variables, overridden by the job's. */
  readonly variables: Readonly<Record<string, string>>;
  /** Null: every branch and tag. */
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
  /** Jobs whose artifacts are downloaded; null: those of all earlier stages. */
  readonly dependencies: readonly string[] | null;
  readonly artifacts: CiArtifacts | null;
  readonly cache: CiCache | null;
  readonly environment: CiEnvironment | null;
  /** The pattern between the slashes; null: no coverage. */
  readonly coverage: string | null;
  /** Number of automatic retries, 0 to 2. */
  readonly retries: number;
}

export type CiWhen = 'on_success' | 'on_failure' | 'always' | 'manual';

export interface CiImage {
  readonly name: string;
  readonly entrypoint: readonly string[] | null;
}

export interface CiService extends CiImage {
  readonly command: readonly string[] | null;
  readonly alias: string | null;
}

export interface CiArtifacts {
  readonly name: string | null;
  readonly isUntracked: boolean;
  readonly paths: readonly string[];
  readonly when: Exclude<CiWhen, 'manual'>;
  /** As in the file, e.g. `1 week`; null: the default. */
  readonly expireIn: string | null;
}

export interface CiCache {
  readonly key: string;
  readonly isUntracked: boolean;
  readonly paths: readonly string[];
  readonly policy: 'pull-push' | 'pull' | 'push';
}

export interface CiEnvironment {
  readonly name: string;
  readonly url: string | null;
  readonly action: 'start' | 'stop';
  readonly onStop: string | null;
}
