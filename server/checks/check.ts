import type { Database } from '../../prisma/client.ts';
import type { Config } from '../config.ts';
import type { ObjectPlaces } from '../objects/places.ts';
import type { NewTally, Tally } from './tally.ts';

/** What a check found, and what the administrator can do about it. */
export interface Finding {
  /** Errors need a repair; a warning is something to look at. */
  readonly level: 'warning' | 'error';
  readonly problem: string;
  readonly advice: string;
  /** The records or files that it concerns; those of a tally are in `problem`, too. */
  readonly items?: Tally;
  /** What `doctor --fix` does about it, if it cannot lose anything. */
  readonly fix?: () => Promise<void>;
}

/** Compares one part of the installation with what it should be; changes nothing but by a fix. */
export interface Check {
  readonly name: string;
  readonly run: () => AsyncGenerator<Finding>;
}

/** What checks of the service's data need. */
export interface ServiceParts {
  readonly config: Config;
  readonly db: Database;
  /** Counts the items of a finding. */
  readonly tally: NewTally;
  /** Has housekeeping rebuild the caches of the repositories with these folders `objects`. */
  readonly renewCaches: (folders: readonly string[]) => Promise<void>;
  /** Where uploads, artifacts, traces and LFS objects are. */
  readonly places: ObjectPlaces;
}
