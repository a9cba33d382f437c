import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkFolder } from './folders.ts';
import type { HandedJob, JobVariable } from './job.ts';
import { expandVariables, type Variables } from './variables.ts';

/** Variables of the runner's environment that jobs inherit. */
const passedOn =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|(https?|no|all)_proxy|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)|GIT_SSL_CAINFO)$/;

/**
 * The base environment of a job's programs: from the runner's own only the paths of programs and
 * home, the locale and proxies. A runner without a home folder gives each job one.
 */
export async function environmentIn(
  folder: WorkFolder,
  own: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const passed = Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && passedOn.test(name) ? [[name, value] as const] : [],
  );
  const environment: Record<string, string> = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...Object.fromEntries(passed),
    TMPDIR: folder.temporary,
    ...added,
  };
  if (!environment.HOME) {
    environment.HOME = join(folder.temporary, 'home');
    await mkdir(environment.HOME, { mode: 0o700 });
  }
  return environment;
}

const fixed = (key: string, value: string): JobVariable => ({ key, value, raw: true });

/** A job's variables and those that the runner adds; variables of type file are written to files. */
export async function variablesOf(job: HandedJob, folder: WorkFolder): Promise<Variables> {
  const variables = new Map(
    expandVariables([
      fixed('CI_DEBUG_TRACE', 'false'),
      fixed('GET_SOURCES_ATTEMPTS', '1'),
      ...job.variables,
      fixed('CI', 'true'),
      fixed('CI_SERVER', 'yes'),
      fixed('CI_SHARED_ENVIRONMENT', 'true'),
      fixed('CI_PROJECT_DIR', folder.source),
    ]),
  );
  const inFiles = new Set(job.variables.flatMap(({ key, file }) => (file ? [key] : [])));
  for (const key of inFiles) {
    const path = join(folder.temporary, `variable-${key}`);
    if (!variables.has(key)) continue;
    await writeFile(path, variables.get(key) ?? '', { mode: 0o600 });
    variables.set(key, path);
  }
  return variables;
}

/** The values to mask in a job's trace: tokens, and the values of variables that are not public. */
export function* secretsOf(job: HandedJob, runnerToken: string): Generator<string> {
  yield runnerToken;
  yield job.token;
  yield Buffer.from(`gitlab-ci-token:${job.token}`).toString('base64');
  for (const { token } of job.dependencies) yield token;
  const hidden = job.variables.filter((variable) => variable.public === false);
  for (const { value } of hidden) yield value;
  yield* expandedSecrets(job, new Set(hidden.map(({ key }) => key)));
}

function expandedSecrets({ variables }: HandedJob, hidden: ReadonlySet<string>): readonly string[] {
  try {
    const all = expandVariables(variables);
    return [...all].flatMap(([key, value]) => (hidden.has(key) ? [value] : []));
  } catch {
    // these variables would prevent programs from starting
    return [];
  }
}
