import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { recordById } from '../listing/records.ts';
import type { Project } from '../projects/types.ts';
import type { ProjectRepository } from './change-refs.ts';

/**
 * The project of a commit, branch or tag; those of all rows are read together. Users who see the
 * content of a repository see its project.
 */
export const projectOfContent = (
  query: object,
  { repository }: { readonly repository: ProjectRepository },
  ctx: Context,
) =>
  orThrow(
    recordById<typeof Project.$inferType>(ctx, 'project', repository.id, query),
    recordNotFound,
  );
