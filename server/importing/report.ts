import { isRefused } from './source.ts';

/** What an import brings, by the names of REST. */
export type Kind =
  | 'groups'
  | 'projects'
  | 'issues'
  | 'labels'
  | 'members'
  | 'merge_requests'
  | 'milestones'
  | 'notes'
  | 'releases'
  | 'snippets'
  | 'wikis';

/** In characters. */
const longestProblem = 1_000;

/** Enough to see what kind of problem it is. */
const mostProblems = 1_000;

/** Counts what an import added, and collects what it had to leave out. */
export interface Report {
  readonly add: (kind: Kind, name: string, count?: number) => void;
  readonly leaveOut: (problem: string) => void;
  /** Leaves out a whole project or group, which a repeated import may bring. */
  readonly fail: (problem: string) => void;
  /** Runs a part and returns its result; one that the source refuses or does not have is left out: null. */
  readonly part: <Result>(name: string, work: () => Promise<Result>) => Promise<Result | null>;
  readonly counts: Readonly<Partial<Record<Kind, number>>>;
  readonly problems: readonly string[];
  readonly hasFailed: () => boolean;
}

/** `onItem` is called with the name of each record that was added. */
export function createReport(onItem: (name: string) => void): Report {
  const counts: Partial<Record<Kind, number>> = {};
  const problems: string[] = [];
  const leaveOut = (problem: string) => {
    if (problems.length < mostProblems)
      problems.push(problem.replace(/\p{Cc}/gu, ' ').slice(0, longestProblem));
  };
  let failed = false;
  return {
    add: (kind, name, count = 1) => {
      counts[kind] = (counts[kind] ?? 0) + count;
      onItem(name);
    },
    leaveOut,
    fail: (problem) => {
      failed = true;
      leaveOut(problem);
    },
    hasFailed: () => failed,
    part: async (name, work) => {
      try {
        return await work();
      } catch (error) {
        if (!isRefused(error)) throw error;
        leaveOut(`${name}: ${error.message}`);
        return null;
      }
    },
    counts,
    problems,
  };
}
