import type { Database } from '../../prisma/client.ts';
import type { Config } from '../config.ts';
import type { ObjectPlaces } from '../objects/places.ts';

/** What a check found, and what the administrator can do about it. */
export interface Finding {
  /** Errors need a repair; a warning is something to look at. */
  readonly level: 'warning' | 'error';
  readonly problem: string;
  readonly advice: string;
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
  /** Has housekeeping make the caches of the repositories with these folders `objects` anew. */
  readonly renewCaches: (folders: readonly string[]) => Promise<void>;
  /** Where uploads, artifacts, traces and LFS objects are. */
  readonly places: ObjectPlaces;
}

/** Examples of a finding that concerns many records. */
const maxExamples = 5;

/** Counts names and keeps the first of them: memory does not grow with the data. */
export function tally() {
  const examples: string[] = [];
  let count = 0;
  return {
    add: (name: string) => {
      count += 1;
      if (examples.length < maxExamples) examples.push(name);
    },
    get count() {
      return count;
    },
    /** `3: a, b, c`, or `120: a, b, c, d, e, …`. */
    get text() {
      return `${count}: ${examples.join(', ')}${count > examples.length ? ', …' : ''}`;
    },
  };
}
