import { Prisma } from '../../prisma/client.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import { issuesIn, visibleIssuesBelow } from './visible.ts';

/**
 * The issues the viewer may see of a project, or of all projects at any depth below a group; none
 * of a project whose issues are disabled.
 */
export const issuesOf = (source: GroupOrProject, viewer: Viewer): readonly Prisma.Sql[] =>
  source.kind === 'group'
    ? visibleIssuesBelow(source.id, viewer)
    : [
        ...issuesIn(source, viewer),
        Prisma.sql`EXISTS (SELECT FROM projects WHERE id = ${source.id} AND issues_enabled)`,
      ];
