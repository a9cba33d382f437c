import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { storedRecord } from '../listing/records.ts';
import { Project } from '../projects/types.ts';
import type { ProjectRepository } from './change-refs.ts';

/**
 * The field with the project of a commit, branch or tag; those of all rows are read together. Users
 * who see the content of a repository see its project.
 */
export const contentProject = {
  type: Project,
  complexity: statementCost,
  resolve: (
    query: object,
    { repository }: { readonly repository: ProjectRepository },
    _args: object,
    ctx: Context,
  ) => storedRecord(ctx, 'project', repository.id, query),
};
