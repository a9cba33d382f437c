import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Crash, crashesVariable, diagnose, type RunErrors } from './crashes.ts';

/** The parts of vitest's JSON report that are read here. */
interface Report {
  readonly testResults: readonly FileResult[];
}

export interface FileResult {
  /** The path of the file. */
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    /** Also those of attempts before a successful one. */
    readonly failureMessages: readonly string[];
  }[];
}

export interface SuitesResult {
  readonly files: readonly FileResult[];
  readonly crashes: readonly Crash[];
  /** Failed tests, files that failed outside their tests, and errors that belong to no test. */
  readonly failed: number;
}

const reporter = fileURLToPath(new URL('crashes.ts', import.meta.url));

/** Runs vitest with `options`; its reports are in `folder`. */
export async function runSuites(folder: string, options: readonly string[]): Promise<SuitesResult> {
  const reports = mkdtempSync(join(folder, 'run-'));
  const report = join(reports, 'vitest.json');
  const errors = join(reports, 'errors.json');
  const suites = spawn(
    'vitest',
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      `--reporter=${reporter}`,
      ...diagnose(folder),
      // one of 10,000 tests with real processes may lose a race: it is listed as flaky, not hidden
      ...(process.env.CI ? ['--retry=1'] : []),
      ...options,
    ],
    { stdio: 'inherit', env: { ...process.env, [crashesVariable]: errors } },
  );
  const [status] = (await once(suites, 'exit')) as [number | null];
  // vitest itself died
  if (!existsSync(report) || !existsSync(errors)) return { files: [], crashes: [], failed: 1 };
  const { testResults: files } = readJson<Report>(report);
  const { crashes, others } = readJson<RunErrors>(errors);
  const crashed = new Set(crashes.map(({ file }) => file));
  const failed = others + sum(files.filter(({ name }) => !crashed.has(name)).map(failuresOf));
  // never success where vitest reports a failure that has another cause, such as no files
  const isUnexplained = status !== 0 && failed === 0 && crashes.length === 0;
  return { files, crashes, failed: isUnexplained ? 1 : failed };
}

/** A file that fails before its first test, or after its last one, counts as one failure. */
function failuresOf({ status, assertionResults }: FileResult): number {
  const tests = assertionResults.filter((test) => test.status === 'failed').length;
  return tests || (status === 'failed' ? 1 : 0);
}

const readJson = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
