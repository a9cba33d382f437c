import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { readableSourceOf, sourceOfRecord, sourceRef } from '../projects/group-or-project.ts';

const MilestoneNode = defineRecord('Milestone', {
  model: 'milestone',
  select: (ctx) => ({ id: true, ...sourceOfRecord(ctx) }) as const,
  check: (record, ctx) => readableSourceOf(record, ctx),
});

/** For fields of a milestone by group or project and id. */
export const byMilestone = byRecord(MilestoneNode, { source: sourceRef, id: ({ id }) => id });
