import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestRunEndReason } from 'vitest/node';

/** Names the file that receives what `CrashReporter` found. */
export const crashesVariable = 'MILLRACE_TEST_CRASHES';

/** A test file whose worker process died. */
export interface Crash {
  readonly file: string;
  /** The signal or exit code. */
  readonly reason: string;
}

/** The errors of a run that belong to no test. */
export interface RunErrors {
  readonly crashes: readonly Crash[];
  readonly others: number;
}

const exit = /Worker exited unexpectedly (.*?) ?during .* while running test file (.+)$/;

/** Vitest's JSON report does not tell a file whose worker died from one that was skipped. */
export default class CrashReporter implements Reporter {
  onTestRunEnd(
    _modules: unknown,
    errors: readonly { readonly cause?: { readonly message?: string } }[],
    _reason: TestRunEndReason,
  ): void {
    const crashes = errors.flatMap(({ cause }): Crash[] => {
      const [, reason, file] = exit.exec(cause?.message ?? '') ?? [];
      return reason && file ? [{ reason, file }] : [];
    });
    const runErrors: RunErrors = { crashes, others: errors.length - crashes.length };
    writeFileSync(process.env[crashesVariable] ?? '', JSON.stringify(runErrors));
  }
}

/** Arguments of vitest that make a worker write a diagnostic report to `folder` before it aborts. */
export const diagnose = (folder: string): readonly string[] =>
  [
    '--report-on-fatalerror',
    '--report-exclude-env',
    '--report-exclude-network',
    `--report-directory=${folder}`,
  ].map((flag) => `--execArgv=${flag}`);

interface Diagnosis {
  readonly header: { readonly event: string; readonly trigger: string; readonly processId: number };
  readonly javascriptStack: { readonly message: string; readonly stack?: readonly string[] };
  readonly javascriptHeap: { readonly usedMemory: number };
  readonly nativeStack: readonly { readonly symbol: string }[];
}

const megabyte = 2 ** 20;

/** The causes in the diagnostic reports in `folder`, as text. */
export function describeDiagnoses(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^report\..*\.json$/.test(name));
  return names.map((name) => describe(readDiagnosis(join(folder, name)))).join('');
}

const readDiagnosis = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Diagnosis;

function describe({ header, javascriptStack, javascriptHeap, nativeStack }: Diagnosis): string {
  const heap = Math.round(javascriptHeap.usedMemory / megabyte);
  const stack = [javascriptStack.message, ...(javascriptStack.stack ?? [])];
  // frames without a symbol say nothing
  const native = nativeStack.map(({ symbol }) => symbol).filter((frame) => !frame.startsWith(' '));
  return [
    `worker ${header.processId}: ${header.trigger}: ${header.event}, with ${heap} MB of heap`,
    ...[...stack, ...native].map((line) => `  ${line}`),
    '',
  ].join('\n');
}
