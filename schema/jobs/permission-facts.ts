import { batched } from '../kernel/batched.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import type { JobPermissionFacts } from './policy.ts';

/** The facts for the rules on job changes, loaded for all projects of a request at once. */
export const permissionFactsIn = batched<number, JobPermissionFacts | null>(
  async (ids, { db, viewer }) => {
    const projects = await db.project.findMany({
      relationLoadStrategy: 'join',
      where: { id: { in: [...ids] }, isRemoved: false },
      select: {
        ...levelSelection(viewer),
        id: true,
        defaultBranch: true,
        jobsEnabled: true,
        protectedBranches: {
          select: { name: true, pushAccessLevel: true, mergeAccessLevel: true },
        },
        protectedTags: { select: { name: true, createAccessLevel: true } },
      },
    });
    return new Map(
      projects.map((project) => {
        const { protectedBranches: rules, protectedTags: tagRules } = project;
        const level = levelInProject(viewer, project);
        return [project.id, { project, level, rules: { rules, tagRules } }];
      }),
    );
  },
  null,
);
