import type { WorkFolder } from './folders.ts';
import type { HandedJob } from './job.ts';
import type { Protocol } from './protocol.ts';
import type { Variables } from './variables.ts';

/** What the parts of a running job share. */
export interface JobContext {
  readonly job: HandedJob;
  readonly variables: Variables;
  readonly folder: WorkFolder;
  readonly cacheFolder: string;
  readonly cloneUrl: string | null;
  /** The environment of git and the scripts, without the job's variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly protocol: Protocol;
  /** Aborted when the job ends early. */
  readonly signal: AbortSignal;
  /** Write to the trace: a line of the runner, a warning, and program output. */
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly print: (piece: Buffer) => void;
}
