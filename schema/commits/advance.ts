import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../kernel/context.ts';
import { rejected } from '../kernel/errors.ts';
import { isRefName } from '../kernel/ref-names.ts';
import type { RefChange } from '../ports/git/address.ts';
import { changeRefs, type ProjectRepository } from '../repository/change-refs.ts';
import { errorTexts } from './refusals.ts';
import { runInTurn } from './turns.ts';

const mostAttempts = 20;
/** Milliseconds; random, so that two conflicting writers do not retry together. */
const longestPause = 20;

/** The expected and the new commit of a branch. */
export type BranchUpdate = Pick<RefChange, 'before' | 'after'>;

/**
 * Moves a branch to the commit that `make` returns. Calls `make` again, a bounded number of times,
 * if a push was faster, so that no work is lost and everything is checked again. Returns the
 * commit.
 */
export function advanceBranch(
  project: ProjectRepository,
  branch: string,
  ctx: Context,
  make: () => Promise<BranchUpdate>,
): Promise<string> {
  const ref = `refs/heads/${branch}`;
  return runInTurn(`${project.id}:${ref}`, async () => {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const { before, after } = await make();
      const changed = await changeRefs(project, [{ ref, before, after }], ctx);
      if (changed.outcome === 'moved') return after;
      if (changed.outcome === 'impossible' || !isRefName(branch)) throw impossible(branch);
      if (changed.outcome === 'refused') throw rejected(errorTexts.push);
      await pause(Math.random() * longestPause * attempt);
    }
    throw rejected(`Could not update branch ${branch}. Please refresh.`);
  });
}

const impossible = (branch: string) =>
  rejected(
    `Something went wrong when we tried to create ${branch} for you: Branch name is invalid`,
  );
