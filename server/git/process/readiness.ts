import { GitUnavailable } from '../../../schema/kernel/outage.ts';
import { runGit } from './run.ts';
import { isSpawnerResponsive } from './spawner.ts';

/** Milliseconds for which an attempt to start git counts. */
const freshMs = 5_000;

/**
 * Whether git can be started: the spawner answers, and the last attempt succeeded. Makes an attempt if there
 * was none for some seconds, and does not wait for it longer than `waitMs`: a machine under load is slow.
 */
export function gitProbe(waitMs: number): () => Promise<boolean> {
  let isStartable = true;
  let attempt: Promise<void> | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  const tryStart = async () => {
    startedAt = performance.now();
    isStartable = await runGit(['version']).then(
      () => true,
      (error: unknown) => !(error instanceof GitUnavailable),
    );
    attempt = null;
  };
  return async () => {
    if (!isSpawnerResponsive()) return false;
    if (!isStartable || performance.now() - startedAt > freshMs) attempt ??= tryStart();
    if (attempt) await Promise.race([attempt, wait(waitMs)]);
    return isStartable && isSpawnerResponsive();
  };
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
