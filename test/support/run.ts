import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs every suite and ends with one plain line that any CI can read. */
const folder = mkdtempSync(join(tmpdir(), 'millrace-report-'));
const report = join(folder, 'report.json');

const { status } = spawnSync(
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

const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
  readFileSync(report, 'utf8'),
) as Record<string, number>;
rmSync(folder, { recursive: true });

// a suite that breaks before its first test counts as one failure
const failed = numFailedTests || (status === 0 ? 0 : numFailedTestSuites || 1);
process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`);
process.exit(status ?? 1);
