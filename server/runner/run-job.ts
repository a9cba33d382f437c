import { hostname } from 'node:os';
import { join } from 'node:path';
import { fetchArtifacts, sendArtifacts } from './artifacts.ts';
import { fetchCaches, keepCaches } from './cache.ts';
import { checkOut, keepRepository } from './checkout.ts';
import type { RunnerConfig } from './config.ts';
import { environmentIn, secretsOf, variablesOf } from './environment.ts';
import { lockFolder } from './folders.ts';
import type { FailureReason, HandedJob } from './job.ts';
import type { JobContext } from './job-context.ts';
import { type Protocol, version } from './protocol.ts';
import { abandonedAfter, retryUntilAnswered } from './retry.ts';
import { runSteps, ScriptFailure } from './run-steps.ts';
import { green, openTrace, red, type Trace, yellow } from './trace.ts';

export interface JobParts {
  readonly config: RunnerConfig;
  readonly protocol: Protocol;
  readonly ownEnvironment: NodeJS.ProcessEnv;
  /** Aborted when the runner stops: its jobs fail. */
  readonly stop: AbortSignal;
  /** Aborted at the end of the time for reporting. */
  readonly giveUp: AbortSignal;
}

/** The result of a job; null when the service ended or does not know it. */
type End = { readonly state: 'success' | 'failed'; readonly reason?: FailureReason } | null;

/** Runs a job and reports its result. False when the result was not acknowledged. */
export async function runJob(job: HandedJob, parts: JobParts): Promise<boolean> {
  const { config, protocol, giveUp } = parts;
  const trace = openTrace(job, protocol, {
    secrets: secretsOf(job, config.token),
    limit: config.outputLimit,
    giveUp,
  });
  const end = await endOf(job, parts, trace);
  await trace.end();
  if (end === null || trace.unwanted.aborted) return trace.unwanted.reason !== 'unreachable';
  try {
    await retryUntilAnswered(() => protocol.updateJob(job, end.state, end.reason), {
      limit: abandonedAfter,
      signal: giveUp,
    });
    return true;
  } catch {
    return false;
  }
}

async function endOf(job: HandedJob, parts: JobParts, trace: Trace): Promise<End> {
  const seconds = job.runner_info?.timeout || 3600;
  const timeout = AbortSignal.timeout(Math.min(seconds * 1000, 2 ** 31 - 1));
  const signal = AbortSignal.any([parts.stop, trace.unwanted, timeout]);
  try {
    greet(job, parts, trace);
    await work(job, parts, trace, signal);
    trace.say(green('Job succeeded'));
    return { state: 'success' };
  } catch (error) {
    if (trace.unwanted.aborted) return null;
    const failed = (reason: FailureReason, why: string): End => {
      trace.say(red(`ERROR: Job failed: ${why}`));
      return { state: 'failed', reason };
    };
    if (parts.stop.aborted) return failed('runner_system_failure', 'the runner is being stopped');
    if (timeout.aborted)
      return failed('job_execution_timeout', `it took longer than ${seconds} seconds`);
    const { message } = error as Error;
    if (error instanceof ScriptFailure) return failed('script_failure', message);
    return failed('runner_system_failure', message);
  }
}

function greet(job: HandedJob, { config }: JobParts, trace: Trace) {
  trace.say(`Running with millrace-runner ${version}`);
  trace.say(`  on ${config.description || hostname()}`);
  trace.say('Using Shell executor...');
  if (job.image) trace.say(yellow('WARNING: this runner has no images: the job runs without'));
  if (job.services.length > 0) trace.say(yellow('WARNING: this runner has no services'));
}

async function work(job: HandedJob, parts: JobParts, trace: Trace, signal: AbortSignal) {
  const { config, protocol, ownEnvironment } = parts;
  const folder = await lockFolder(join(config.workFolder, 'builds'), job.job_info.project_id);
  let isCheckedOut = false;
  try {
    const under: JobContext = {
      job,
      variables: await variablesOf(job, folder),
      folder,
      cacheFolder: join(config.workFolder, 'cache'),
      cloneUrl: config.cloneUrl,
      environment: await environmentIn(folder, ownEnvironment, config.environment),
      protocol,
      signal,
      say: (line) => trace.say(green(line)),
      warn: (line) => trace.say(yellow(`WARNING: ${line}`)),
      print: (piece) => trace.write(piece),
    };
    await checkOut(under);
    isCheckedOut = true;
    await fetchCaches(under);
    await fetchArtifacts(under);
    const failure = await runSteps(under);
    if (failure === null) await keepCaches(under);
    await sendArtifacts(under, failure === null).catch((error: Error) => {
      // the first failure is reported
      if (failure === null) throw error;
      under.warn(error.message);
    });
    if (failure) throw failure;
  } finally {
    // discard a repository whose checkout failed
    if (isCheckedOut) await keepRepository(folder).catch(() => {});
    await folder.release().catch(({ message }: Error) => {
      trace.say(yellow(`WARNING: the work folder could not be cleaned: ${message}`));
    });
  }
}
