import type { ReportHelper } from '../../helpers/failures.ts';
import { type HelperLimits, helperLimits, silenceWatch } from '../../helpers/silence-watch.ts';

interface StoppableChild {
  pid(): number | undefined;
  kill(): void;
}

let watch = silenceWatch(helperLimits);
let report: ReportHelper = () => {};

/** Sets the limits of later children, and where killed ones are reported. */
export function watchStoppedChildren(options: {
  readonly limits: HelperLimits;
  readonly report: ReportHelper;
}): void {
  watch = silenceWatch(options.limits);
  report = options.report;
}

/**
 * Kills a git process that is stopped by a signal: it is neither slow nor waiting for its client, and not
 * every command has a limit of time. The result ends the watch.
 */
export function killIfStopped(child: StoppableChild, command: string): () => void {
  const watched = watch.add({
    pid: () => child.pid(),
    progress: () => 0,
    onlyIfStopped: true,
    onSilent: () => {
      report('git', 'silent', { pid: child.pid(), command });
      child.kill();
    },
  });
  return watched.stop;
}
