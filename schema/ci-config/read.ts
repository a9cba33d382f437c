import { isAbsent, isText, isTexts, patternOf } from './checks.ts';
import type {
  CiArtifacts,
  CiCache,
  CiEnvironment,
  CiFile,
  CiImage,
  CiJob,
  CiService,
  CiWhen,
} from './ci-file.ts';
import { entryFault, visibleJobs } from './faults.ts';
import { relationFault } from './relations.ts';
import { isMapping, type Mapping, readYaml } from './yaml.ts';

const defaultStages = ['build', 'test', 'deploy'] as const;

/** The file, or its first problem as a text for users (v4-behaviour 5.1). */
export type CiReading = { readonly file: CiFile } | { readonly problem: string };

/** Reads a CI file: parses the YAML, checks each entry, then the relations between entries. */
export function readCiFile(text: string): CiReading {
  const read = readCiMapping(text);
  return 'problem' in read ? read : { file: read.file };
}

/** As `readCiFile`, with the mapping that the file was read from. */
export function readCiMapping(
  text: string,
): { readonly file: CiFile; readonly mapping: Mapping } | { readonly problem: string } {
  const read = readYaml(text);
  if ('problem' in read) return refused(read.problem);
  const problem = entryFault(read.mapping);
  if (problem !== null) return refused(problem);
  const file = fileOf(read.mapping);
  const unrelated = relationFault(file);
  return unrelated === null ? { file, mapping: read.mapping } : refused(unrelated);
}

/** Characters of a problem: it may quote the file, which may be a single name. */
const maxProblemLength = 1_000;

const refused = (problem: string) => ({
  problem:
    problem.length <= maxProblemLength
      ? problem
      : `${problem.slice(0, maxProblemLength).toWellFormed()}…`,
});

// the checks above guarantee these types

const texts = (value: unknown): readonly string[] | null => {
  if (isText(value)) return [value];
  return isTexts(value) ? value : null;
};

const textOr = <Else>(value: unknown, otherwise: Else): string | Else =>
  isText(value) ? value : otherwise;

const pairsOf = (value: unknown): Readonly<Record<string, string>> =>
  isMapping(value)
    ? Object.fromEntries(Object.entries(value).map(([key, given]) => [key, String(given)]))
    : {};

function fileOf(given: Mapping): CiFile {
  return {
    stages: texts(given.stages) ?? texts(given.types) ?? defaultStages,
    jobs: visibleJobs(given).map(([name, job]) => jobOf(name, isMapping(job) ? job : {}, given)),
  };
}

/** A job inherits the file's keys. */
const inherited = (key: string, job: Mapping, file: Mapping): unknown =>
  isAbsent(job[key]) ? file[key] : job[key];

/** The first commands of the script of a job, which are written apart from the others. */
export function beforeScriptOf(name: string, file: Mapping): readonly string[] {
  const job = file[name];
  return texts(inherited('before_script', isMapping(job) ? job : {}, file)) ?? [];
}

function jobOf(name: string, job: Mapping, file: Mapping): CiJob {
  const own = (key: string): unknown => inherited(key, job, file);
  const when = textOr(job.when, 'on_success') as CiWhen;
  const afterScript = texts(own('after_script'));
  return {
    name,
    stage: textOr(job.stage, textOr(job.type, 'test')),
    script: [...beforeScriptOf(name, file), ...(texts(job.script) ?? [])],
    afterScript: afterScript && afterScript.length > 0 ? afterScript : null,
    image: imageOf(own('image')),
    services: servicesOf(own('services')),
    tags: texts(job.tags) ?? [],
    when,
    isAllowedToFail: typeof job.allow_failure === 'boolean' ? job.allow_failure : when === 'manual',
    variables: { ...pairsOf(file.variables), ...pairsOf(job.variables) },
    only: refsOf(job.only),
    except: refsOf(job.except) ?? [],
    dependencies: texts(job.dependencies),
    artifacts: isMapping(job.artifacts) ? artifactsOf(job.artifacts) : null,
    cache: cacheOf(own('cache')),
    environment: environmentOf(job.environment),
    coverage: patternOf(job.coverage),
    retries: typeof job.retry === 'number' ? job.retry : 0,
  };
}

const refsOf = (value: unknown): readonly string[] | null =>
  isMapping(value) ? texts(value.refs) : texts(value);

function imageOf(value: unknown): CiImage | null {
  if (isText(value)) return { name: value, entrypoint: null };
  return isMapping(value)
    ? { name: textOr(value.name, ''), entrypoint: texts(value.entrypoint) }
    : null;
}

const servicesOf = (value: unknown): readonly CiService[] =>
  (Array.isArray(value) ? value : []).flatMap((item: unknown) => {
    const image = imageOf(item);
    const more = isMapping(item) ? item : {};
    return image
      ? [{ ...image, command: texts(more.command), alias: textOr(more.alias, null) }]
      : [];
  });

const artifactsOf = (given: Mapping): CiArtifacts => ({
  name: textOr(given.name, null),
  isUntracked: given.untracked === true,
  paths: texts(given.paths) ?? [],
  when: textOr(given.when, 'on_success') as CiArtifacts['when'],
  expireIn: isAbsent(given.expire_in) ? null : String(given.expire_in),
});

const cacheOf = (given: unknown): CiCache | null =>
  isMapping(given)
    ? {
        key: textOr(given.key, 'default'),
        isUntracked: given.untracked === true,
        paths: texts(given.paths) ?? [],
        policy: textOr(given.policy, 'pull-push') as CiCache['policy'],
      }
    : null;

function environmentOf(given: unknown): CiEnvironment | null {
  if (isText(given)) return { name: given, url: null, action: 'start', onStop: null };
  if (!isMapping(given)) return null;
  return {
    name: textOr(given.name, ''),
    url: textOr(given.url, null),
    action: textOr(given.action, 'start') as CiEnvironment['action'],
    onStop: textOr(given.on_stop, null),
  };
}
