import { DomainError } from '../kernel/errors.ts';

/** Two branches that cannot be merged: 422 on the REST wire (v4-behaviour 3.4). */
export const unfit = (why: string) => new DomainError('INVALID', why, { reason: 'branches' });

export const noBranch = (side: 'Source' | 'Target', name: string) =>
  unfit(`${side} branch "${name}" does not exist`);

export const noFork = () => unfit('Source project is not a fork of the target project');

/** Two branches have one open merge request. */
export const alreadyOpen = (titles: readonly string[]) =>
  new DomainError(
    'CONFLICT',
    `Cannot Create: This merge request already exists: [${titles.map((title) => JSON.stringify(title)).join(', ')}]`,
    { reason: 'already-open' },
  );
