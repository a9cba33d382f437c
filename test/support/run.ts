import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The parts of vitest's JSON report that are read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      /** Also those of attempts before a successful one. */
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs every suite and the compiler in parallel and ends with one plain line that any CI can parse. */
const folder = mkdtempSync(join(tmpdir(), 'millrace-report-'));
const report = join(folder, 'report.json');

// the compiler uses one core for half a minute, while the suites often wait
const compiler = spawn('tsc', ['--noEmit'], { stdio: ['ignore', 'pipe', 'inherit'] });
const complaints = text(compiler.stdout);
const compiled = once(compiler, 'exit') as Promise<[number | null]>;

const suites = spawn(
  'vitest',
  [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // one of 10,000 tests with real processes may lose a race: it is listed below, not hidden
    ...(process.env.CI ? ['--retry=1'] : []),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const [status] = (await once(suites, 'exit')) as [number | null];
const [typesStatus] = await compiled;

const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
  readFileSync(report, 'utf8'),
) as Report;
rmSync(folder, { recursive: true });

process.stdout.write(await complaints);
for (const { name, assertionResults } of testResults) {
  for (const { status: outcome, fullName, failureMessages } of assertionResults) {
    if (outcome !== 'passed' || failureMessages.length === 0) continue;
    process.stdout.write(`flaky: ${fullName} (${name})\n${failureMessages.join('\n')}\n`);
  }
}
// a suite that fails before its first test counts as one failure, and so do type errors
const broken = numFailedTests || (status === 0 ? 0 : numFailedTestSuites || 1);
const failed = broken + (typesStatus === 0 ? 0 : 1);
process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`);
process.exit(status || typesStatus || (failed > 0 ? 1 : 0));
