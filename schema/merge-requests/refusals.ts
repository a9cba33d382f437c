import { DomainError } from '../kernel/errors.ts';

/** For branches that cannot be merged: 422 over REST (v4-behaviour 3.4). */
export const badBranches = (why: string) => new DomainError('INVALID', why, { reason: 'branches' });

export const noBranch = (side: 'Source' | 'Target', name: string) =>
  badBranches(`${side} branch "${name}" does not exist`);

export const noFork = () => badBranches('Source project is not a fork of the target project');

/** For a second open merge request between the same branches. */
export const alreadyOpen = (titles: readonly string[]) =>
  new DomainError(
    'CONFLICT',
    `Cannot Create: This merge request already exists: [${titles.map((title) => JSON.stringify(title)).join(', ')}]`,
    { reason: 'already-open' },
  );
