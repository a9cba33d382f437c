import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  type ProjectRule,
  projectById,
} from './find.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;

/**
 * Finders of the projects in which a signed-in user may do what `rule` says. Each throws
 * `unauthenticated` for anonymous users even if the project is public, `notFound` if the viewer may
 * not see the project, and `forbidden` if only `rule` fails.
 */
export const signedInFinders = (rule: ProjectRule) => ({
  /** The project `ref`, an id or a full path. */
  async find(ref: string, ctx: Caller) {
    signedIn(ctx);
    return findProject(ref, ctx, rule);
  },
  /** For edges: the projects of all rows of an operation are read together. */
  async byId(id: number, ctx: Caller) {
    signedIn(ctx);
    return projectById(id, ctx, rule);
  },
  /** The project of a record. */
  ofRecord(project: ProjectFacts, ctx: Caller) {
    signedIn(ctx);
    return accessibleProject(project, ctx, rule);
  },
});
