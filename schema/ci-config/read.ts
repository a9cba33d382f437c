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
import { jobsTooLarge, maxJobCharacters } from './job-limits.ts';
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
  const problem = entryFault(read.mapping) ?? inheritanceFault(read.mapping);
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
  const inherited = inheritableOf(given);
  return {
    stages: texts(given.stages) ?? texts(given.types) ?? defaultStages,
    jobs: visibleJobs(given).map(([name, job]) =>
      jobOf(name, isMapping(job) ? job : {}, inherited),
    ),
  };
}

const beforeScriptIn = ({ before_script: commands }: Mapping) => texts(commands) ?? [];

/** The first commands of the script of a job, which are written apart from the others. */
export function beforeScriptOf(name: string, file: Mapping): readonly string[] {
  const job = file[name];
  return beforeScriptIn(isMapping(job) && !isAbsent(job.before_script) ? job : file);
}

/** The problem of a file whose jobs copy too much of it; null when there is none. */
function inheritanceFault(file: Mapping): string | null {
  const [commands, variables] = [file.before_script, file.variables].map(
    (value) => JSON.stringify(value ?? null).length,
  ) as [number, number];
  let length = 0;
  for (const [, job] of visibleJobs(file)) {
    if (!isMapping(job)) continue;
    if (isAbsent(job.before_script)) length += commands;
    if (!isAbsent(job.variables)) length += variables;
  }
  return length > maxJobCharacters ? jobsTooLarge : null;
}

/** What jobs inherit from their file: read once, as it may be long and the jobs many. */
const inheritableOf = (file: Mapping) => ({
  beforeScript: beforeScriptIn(file),
  afterScript: afterScriptOf(file.after_script),
  image: imageOf(file.image),
  services: servicesOf(file.services),
  variables: pairsOf(file.variables),
  cache: cacheOf(file.cache),
});

function jobOf(name: string, job: Mapping, file: ReturnType<typeof inheritableOf>): CiJob {
  const own = <Value>(key: string, read: (value: unknown) => Value, inherited: Value): Value =>
    isAbsent(job[key]) ? inherited : read(job[key]);
  const when = textOr(job.when, 'on_success') as CiWhen;
  const beforeScript = own('before_script', () => beforeScriptIn(job), file.beforeScript);
  return {
    name,
    stage: textOr(job.stage, textOr(job.type, 'test')),
    script: [...beforeScript, ...(texts(job.script) ?? [])],
    afterScript: own('after_script', afterScriptOf, file.afterScript),
    image: own('image', imageOf, file.image),
    services: own('services', servicesOf, file.services),
    tags: texts(job.tags) ?? [],
    when,
    isAllowedToFail: typeof job.allow_failure === 'boolean' ? job.allow_failure : when === 'manual',
    variables: own(
      'variables',
      (variables) => ({ ...file.variables, ...pairsOf(variables) }),
      file.variables,
    ),
    only: refsOf(job.only),
    except: refsOf(job.except) ?? [],
    dependencies: texts(job.dependencies),
    artifacts: isMapping(job.artifacts) ? artifactsOf(job.artifacts) : null,
    cache: own('cache', cacheOf, file.cache),
    environment: environmentOf(job.environment),
    coverage: patternOf(job.coverage),
    retries: typeof job.retry === 'number' ? job.retry : 0,
  };
}

function afterScriptOf(value: unknown): readonly string[] | null {
  const commands = texts(value);
  return commands && commands.length > 0 ? commands : null;
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
