import { join } from 'node:path';
import type { JobStep } from './job.ts';
import type { JobContext } from './job-context.ts';
import { runProcess } from './processes.ts';
import { shellOn, writeScript } from './script.ts';

/** The script exited with a status other than 0. */
export class ScriptFailure extends Error {
  override readonly name = 'ScriptFailure';
}

/** Time limit of `after_script`, in seconds. */
const afterScriptTimeout = 300;

/** The longest time that a timer can measure, in seconds. */
const maxSeconds = Math.floor((2 ** 31 - 1) / 1000);

/** Runs the steps of a job, each in its own shell. Returns the failure that counts, or null. */
export async function runSteps(work: JobContext): Promise<ScriptFailure | null> {
  let failure: ScriptFailure | null = null;
  for (const step of work.job.steps) {
    if (!isDue(step, failure === null)) continue;
    if (step.name === 'after_script') work.say('Running after script...');
    const ended = await runStep(step, work);
    if (ended === null) continue;
    if (step.allow_failure) work.warn(`${step.name} failed: ${ended}`);
    else failure ??= new ScriptFailure(ended);
  }
  return failure;
}

const isDue = ({ when, script }: JobStep, isGood: boolean): boolean =>
  script.length > 0 && (when === 'always' || (when === 'on_failure') !== isGood);

/** Null on success, otherwise how it ended. */
async function runStep(step: JobStep, work: JobContext): Promise<string | null> {
  const { folder, variables, environment, signal, print } = work;
  const isTraced = variables.get('CI_DEBUG_TRACE') === 'true';
  const path = join(folder.temporary, `script-${work.job.steps.indexOf(step)}`);
  await writeScript(path, step.script, isTraced);
  const seconds = Math.min(
    step.timeout || maxSeconds,
    step.name === 'after_script' ? afterScriptTimeout : maxSeconds,
    maxSeconds,
  );
  const limit = AbortSignal.timeout(seconds * 1000);
  const status = await runProcess(shellOn(environment.PATH ?? ''), [path], {
    folder: folder.source,
    environment: { ...environment, ...Object.fromEntries(variables) },
    signal: AbortSignal.any([signal, limit]),
    print,
  });
  signal.throwIfAborted();
  if (limit.aborted) return `it took longer than ${seconds} seconds`;
  return status === 0 ? null : status === null ? 'ended by a signal' : `exit status ${status}`;
}
