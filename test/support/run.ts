import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

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
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const [status] = (await once(suites, 'exit')) as [number | null];
const [typesStatus] = await compiled;

const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
  readFileSync(report, 'utf8'),
) as Record<string, number>;
rmSync(folder, { recursive: true });

process.stdout.write(await complaints);
// a suite that fails before its first test counts as one failure, and so do type errors
const broken = numFailedTests || (status === 0 ? 0 : numFailedTestSuites || 1);
const failed = broken + (typesStatus === 0 ? 0 : 1);
process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`);
process.exit(status || typesStatus || (failed > 0 ? 1 : 0));
