import { levelInGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { SourceKind } from '../members/members.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { canRequestAccess } from './policy.ts';

/** When the viewer requested access to each of these groups or projects. */
const requestedAt = (kind: SourceKind) =>
  batched<number, Date | null>(async (ids, { db, viewer }: Context) => {
    const userId = viewer?.id ?? 0;
    const among = { in: [...ids] };
    const requests = await db.accessRequest.findMany({
      where: { userId, ...(kind === 'group' ? { namespaceId: among } : { projectId: among }) },
      select: { namespaceId: true, projectId: true, requestedAt: true },
    });
    return new Map(
      requests.map((request) => [
        request.namespaceId ?? request.projectId ?? 0,
        request.requestedAt,
      ]),
    );
  }, null);

const requested = { group: requestedAt('group'), project: requestedAt('project') } as const;

const canRequest = {
  description:
    'Whether the current user may request access: not a member, and requests are enabled. A request may be pending, see `accessRequestedAt`.',
};

const pending = {
  type: 'DateTime',
  nullable: true,
  description: 'When the current user requested access; null if no request is pending.',
} as const;

builder.prismaObjectFields(Project, (t) => ({
  canRequestAccess: t.boolean({
    ...canRequest,
    select: (_args, { viewer }) => ({ requestAccessEnabled: true, ...levelSelection(viewer) }),
    resolve: (project, _args, { viewer }) =>
      viewer !== null &&
      canRequestAccess(viewer, { ...project, level: levelInProject(viewer, project) }),
  }),
  accessRequestedAt: t.field({
    ...pending,
    select: { id: true },
    resolve: ({ id }, _args, ctx) => ctx.viewer && requested.project(id, ctx),
  }),
}));

builder.prismaObjectFields(Group, (t) => ({
  canRequestAccess: t.boolean({
    ...canRequest,
    select: { ancestorIds: true, visibility: true, requestAccessEnabled: true },
    resolve: (group, _args, { viewer }) =>
      viewer !== null && canRequestAccess(viewer, { ...group, level: levelInGroup(viewer, group) }),
  }),
  accessRequestedAt: t.field({
    ...pending,
    select: { id: true },
    resolve: ({ id }, _args, ctx) => ctx.viewer && requested.group(id, ctx),
  }),
}));
