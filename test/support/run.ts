import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describeDiagnoses } from './crashes.ts';
import { runSuites } from './run-suites.ts';

/** Runs every suite and the compiler in parallel and ends with one plain line that any CI can parse. */
const folder = mkdtempSync(join(tmpdir(), 'millrace-report-'));

// the compiler uses one core for half a minute, while the suites often wait
const compiler = spawn('tsc', ['--noEmit'], { stdio: ['ignore', 'pipe', 'inherit'] });
const complaints = text(compiler.stdout);
const compiled = once(compiler, 'exit') as Promise<[number | null]>;

const first = await runSuites(folder, process.argv.slice(2));
const crashed = first.crashes.map(({ file }) => file);
// a worker that died leaves the tests of its file without a result
const second = process.env.CI && crashed.length > 0 ? await runSuites(folder, crashed) : null;
const [typesStatus] = await compiled;

process.stdout.write(await complaints);
for (const { file, reason } of first.crashes) {
  process.stdout.write(`${second ? 'flaky: ' : ''}worker died ${reason} (${file})\n`);
}
process.stdout.write(describeDiagnoses(folder));
rmSync(folder, { recursive: true });

const lost = new Set(second ? crashed : []);
const files = [...first.files.filter(({ name }) => !lost.has(name)), ...(second?.files ?? [])];
for (const { name, assertionResults } of files) {
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status !== 'passed' || failureMessages.length === 0) continue;
    process.stdout.write(`flaky: ${fullName} (${name})\n${failureMessages.join('\n')}\n`);
  }
}
const passed = files
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => status === 'passed').length;
const { crashes } = second ?? first;
const failed = first.failed + (second?.failed ?? 0) + crashes.length + (typesStatus === 0 ? 0 : 1);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
