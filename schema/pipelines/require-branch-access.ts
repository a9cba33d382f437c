import { rulesOf } from '../branches/protection.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import type { ProjectTraits } from '../projects/policy.ts';
import { canRunOnBranch } from './policy.ts';

/** Throws `forbidden` unless the user may run pipelines on the branch (v4-behaviour 2.2). */
export async function requireBranchAccess(
  project: ProjectTraits & {
    readonly id: number;
    readonly level: Access;
    readonly defaultBranch: string | null;
  },
  { ref, isTag }: { readonly ref: string; readonly isTag: boolean },
  ctx: Pick<Context, 'db'>,
): Promise<void> {
  if (isTag) return;
  const rules = await rulesOf(project.id, ctx);
  if (!canRunOnBranch(ref, project.level, project, rules)) throw forbidden();
}
