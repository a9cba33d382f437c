import { queryFromInfo } from '@pothos/plugin-prisma';
import { Prisma } from '../../prisma/client.ts';
import { Issue } from '../issues/types.ts';
import { visibleIssues } from '../issues/visible.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { allOf, isAmong } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { recordById } from '../listing/records.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { visibleMergeRequests } from '../merge-requests/visible.ts';
import { Milestone } from '../milestones/types.ts';
import { visibleMilestones } from '../milestones/visible.ts';
import { Note } from '../notes/types.ts';
import { visibleProjects } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { Snippet } from '../snippets/types.ts';
import { readableSnippets } from '../snippets/visible.ts';
import { Event } from './types.ts';

/** The records that an event may be about, and which of them the viewer may see. */
const kinds = {
  issue: {
    model: 'issue',
    ref: Issue,
    table: Prisma.raw('issues'),
    visible: (viewer: Viewer | null) => viewer && visibleIssues(viewer),
  },
  merge_request: {
    model: 'mergeRequest',
    ref: MergeRequest,
    table: Prisma.raw('merge_requests'),
    visible: (viewer: Viewer | null) => visibleMergeRequests(viewer),
  },
  milestone: {
    model: 'milestone',
    ref: Milestone,
    table: Prisma.raw('milestones'),
    visible: (viewer: Viewer | null) => viewer && [visibleMilestones(viewer)],
  },
  snippet: {
    model: 'snippet',
    ref: Snippet,
    table: Prisma.raw('snippets'),
    visible: (viewer: Viewer | null) => viewer && readableSnippets(viewer),
  },
  project: {
    model: 'project',
    ref: Project,
    table: Prisma.raw('projects'),
    visible: (viewer: Viewer | null) => [Prisma.raw('NOT is_removed'), visibleProjects(viewer)],
  },
  // an event is visible to users who may see its note
  note: {
    model: 'note',
    ref: Note,
    table: Prisma.raw('notes'),
    visible: () => [],
  },
} as const;

type Kind = keyof typeof kinds;

interface Target {
  readonly kind: Kind;
  readonly id: number;
}

/** Whether the viewer may see the target of an event; one statement for each kind of target. */
const isVisible = batched<Target, boolean>(async (targets, { db, viewer }: Context) => {
  const groups = [...Map.groupBy(targets, ({ kind }) => kind)];
  const visible = await Promise.all(
    groups.map(async ([kind, ofKind]) => {
      const { table, visible } = kinds[kind];
      const conditions = visible(viewer);
      if (!conditions) return [];
      const ids = [...new Set(ofKind.map(({ id }) => id))];
      const rows = await db.$queryRaw<{ id: number }[]>`
        SELECT id FROM ${table} WHERE ${allOf([isAmong(Prisma.raw('id'), ids), ...conditions])}`;
      const visibleIds = new Set(rows.map(({ id }) => id));
      return ofKind.filter(({ id }) => visibleIds.has(id));
    }),
  );
  return new Map(visible.flat().map((target) => [target, true]));
}, false);

interface Columns {
  readonly target: string | null;
  readonly targetId: number | null;
  readonly projectId: number | null;
}

/** What the event is about; null for pushes and memberships. */
function targetOf({ target, targetId, projectId }: Columns): Target | null {
  if (target === null || !Object.hasOwn(kinds, target)) return null;
  // the creation of a project stores no target
  const id = target === 'project' ? (targetId ?? projectId) : targetId;
  return id === null ? null : { kind: target as Kind, id };
}

const EventTarget = builder.unionType('EventTarget', {
  description: 'What an event is about.',
  types: Object.values(kinds).map(({ ref }) => ref as typeof Issue),
});

builder.prismaObjectField(Event, 'target', (t) =>
  t.field({
    type: EventTarget,
    nullable: true,
    description:
      'What the event is about. Null for pushes, for joining or leaving, if it was deleted, and if the current user may not see it.',
    complexity: statementCost,
    select: { target: true, targetId: true, projectId: true },
    resolve: async (event, _args, ctx, info) => {
      const target = targetOf(event);
      if (!target || !(await isVisible(target, ctx))) return null;
      const { model, ref } = kinds[target.kind];
      const query = queryFromInfo({ context: ctx, info, typeName: ref.name });
      const record = await recordById(ctx, model, target.id, query);
      // the brand tells GraphQL the type
      return record && (ref as typeof Issue).addBrand(record as typeof Issue.$inferType);
    },
  }),
);
