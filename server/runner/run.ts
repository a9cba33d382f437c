import { join } from 'node:path';
import { sweepFolders } from './folders.ts';
import { type HandedJob, jobShape } from './job.ts';
import { type Journal, openJournal } from './journal.ts';
import type { Speaker } from './protocol.ts';
import { abandonedAfter, retryDelay, retryUntilAnswered, sleep } from './retry.ts';
import { type JobParts, runJob } from './run-job.ts';

interface RunParts extends JobParts {
  /** Aborted to request no more jobs; running ones continue. */
  readonly drain: AbortSignal;
  readonly log: (line: string) => void;
}

/** Requests and runs jobs until it is drained. */
export async function run(parts: RunParts): Promise<void> {
  const { config, drain, log } = parts;
  await sweepFolders(join(config.workFolder, 'builds'));
  const journal = await openJournal(join(config.workFolder, 'unfinished'));
  const running = new Set<Promise<void>>();
  for (const job of await journal.abandoned()) running.add(failAbandoned(job, journal, parts));
  await Promise.all(running);
  running.clear();
  const drained = new Promise<void>((resolve) => {
    if (drain.aborted) resolve();
    drain.addEventListener('abort', () => resolve(), { once: true });
  });
  log(`waiting for jobs, ${config.concurrent} at once`);
  const offers = offersOf(parts);
  try {
    while (!drain.aborted) {
      if (running.size >= config.concurrent) {
        await Promise.race([...running, drained]);
        continue;
      }
      const job = await offers.next();
      if (job === null) continue;
      const over: Promise<void> = handleJob(job, journal, parts).finally(() =>
        running.delete(over),
      );
      running.add(over);
    }
  } catch (error) {
    // requesting jobs failed for good, but the running jobs continue
    if (running.size > 0) log(`requests no more jobs: ${(error as Error).message}`);
    throw error;
  } finally {
    await Promise.all(running);
  }
}

async function handleJob(job: HandedJob, journal: Journal, parts: RunParts): Promise<void> {
  const { log } = parts;
  try {
    // without the journal a job lost by a kill would not be reported
    await journal.note(job).catch((error: Error) => log(`job ${job.id}: ${error.message}`));
    log(`job ${job.id} started`);
    const isReported = await runJob(job, parts);
    log(`job ${job.id} ended${isReported ? '' : ', but its result could not be reported'}`);
    if (isReported) await journal.forget(job);
  } catch (error) {
    log(`job ${job.id}: ${(error as Error).message}`);
  }
}

/** Reports the jobs of killed runners as failed. */
async function failAbandoned(job: Speaker, journal: Journal, { protocol, drain, log }: RunParts) {
  try {
    await retryUntilAnswered(() => protocol.updateJob(job, 'failed', 'runner_system_failure'), {
      limit: abandonedAfter,
      signal: drain,
    });
    log(`job ${job.id} was abandoned by a runner that exited: failed`);
    await journal.forget(job);
  } catch {
    // retried at the next start
  }
}

/** Requests jobs one after the other, with pauses when none is available. */
function offersOf({ config, protocol, drain, log }: RunParts) {
  let lastUpdate: string | null = null;
  let failures = 0;
  const failed = async (why: string) => {
    if (drain.aborted) return null;
    if (failures === 0) log(`no job: ${why}`);
    failures += 1;
    await sleep(retryDelay(failures - 1), drain);
    return null;
  };
  const handedJob = async (body: unknown): Promise<HandedJob | null> => {
    const read = jobShape.safeParse(body);
    if (read.success) {
      failures = 0;
      return read.data;
    }
    log(`a job has an unknown form: ${read.error.issues[0]?.path.join('.')}`);
    const speaker = jobShape.pick({ id: true, token: true }).safeParse(body);
    if (!speaker.success) return failed('the service sent an unexpected response');
    await protocol.updateJob(speaker.data, 'failed', 'runner_system_failure').catch(() => {});
    return null;
  };
  return {
    /** Null: no job available. */
    async next(): Promise<HandedJob | null> {
      const requestedAt = Date.now();
      const answer = await protocol
        .requestJob(config.token, lastUpdate, drain)
        .catch((error: Error) => error);
      if (answer instanceof Error) {
        return failed(answer.cause instanceof Error ? answer.cause.message : answer.message);
      }
      if (answer.status === 403) throw new Error('The service does not know this runner any more.');
      if (answer.status === 201) return handedJob(answer.body);
      if (answer.status !== 204 && answer.status !== 409) {
        return failed(`the service answered ${answer.status}`);
      }
      failures = 0;
      lastUpdate = answer.headers.get('X-GitLab-Last-Update') ?? lastUpdate;
      // lost to another runner: there may be more
      if (answer.status === 409) return null;
      await sleep(Math.max(0, requestedAt + config.checkInterval * 1000 - Date.now()), drain);
      return null;
    },
  };
}
