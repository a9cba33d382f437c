import type { WorkFolder } from './folders.ts';
import type { HandedJob } from './job.ts';
import type { Protocol } from './protocol.ts';
import type { Variables } from './variables.ts';

/** A job under way: what each part of it works with. */
export interface JobContext {
  readonly job: HandedJob;
  readonly variables: Variables;
  readonly folder: WorkFolder;
  readonly cacheFolder: string;
  readonly cloneUrl: string | null;
  /** What git and the scripts find in their environment, the job's variables left out. */
  readonly environment: Readonly<Record<string, string>>;
  readonly protocol: Protocol;
  /** Aborted when the job is over before its end. */
  readonly signal: AbortSignal;
  /** Into the trace: a line of the runner's own, one of warning, and what programs print. */
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly print: (piece: Buffer) => void;
}
