import type { Database } from '../../prisma/client.ts';
import type { BusySources } from './bulk-planning.ts';
import { secrets } from './listings.ts';

/** The records that later notes, emojis and issues refer to. */
export interface PlanningTargets {
  readonly issueId: number;
  readonly noteId: number;
  readonly boardId: number;
  readonly projectMilestoneId: number;
  readonly groupMilestoneId: number;
}

/** The author and the assignees. */
export interface PlanningUsers {
  readonly authorId: number;
  readonly assigneeIds: readonly number[];
}

/**
 * Adds number `n` of each planning record to a project and a group; with `first`, notes and emoji
 * belong to its records, and issues use its milestones in rotation.
 */
export async function addPlanning(
  db: Database,
  { projectId, groupId }: BusySources,
  number: number,
  { authorId, assigneeIds }: PlanningUsers,
  first?: PlanningTargets,
): Promise<PlanningTargets> {
  const sources = [{ projectId }, { namespaceId: groupId }];
  const labels = await db.label.createManyAndReturn({
    data: sources.map((source) => ({ ...source, name: `label-${number}`, color: '#123456' })),
  });
  const labelIds = labels.map(({ id }) => id);
  const [labelId = 0] = labelIds;
  await db.labelPriority.create({ data: { labelId, projectId, priority: number } });
  const milestones = await db.milestone.createManyAndReturn({
    data: sources.map((source) => ({ ...source, iid: number, title: `milestone-${number}` })),
  });
  const [projectMilestoneId, groupMilestoneId] = first
    ? [first.projectMilestoneId, first.groupMilestoneId]
    : milestones.map(({ id }) => id);
  const issues = await db.issue.createManyAndReturn({
    data: [projectMilestoneId, groupMilestoneId].map((milestoneId = 0, index) => ({
      projectId,
      iid: 2 * number + index,
      authorId,
      milestoneId,
    })),
  });
  const issueIds = issues.map(({ id }) => id);
  await db.issueText.createMany({
    data: issueIds.map((issueId) => ({ issueId, title: `issue ${number}` })),
  });
  await db.issueLabel.createMany({
    data: issueIds.flatMap((issueId) => labelIds.map((id) => ({ issueId, labelId: id }))),
  });
  await db.todo.createMany({
    data: issueIds.flatMap((issueId) =>
      assigneeIds.map((userId) => ({
        ...{ userId, authorId, projectId, issueId },
        action: 'assigned' as const,
      })),
    ),
  });
  await db.issueAssignee.createMany({
    data: issueIds.flatMap((issueId) =>
      [authorId, ...assigneeIds].map((userId) => ({ issueId, userId })),
    ),
  });
  const issueId = first?.issueId ?? issueIds[0] ?? 0;
  const note = await db.note.create({ data: { issueId, authorId, body: `note ${number}` } });
  const noteId = first?.noteId ?? note.id;
  await db.awardEmoji.createMany({
    data: [{ issueId }, { noteId }].map((on) => ({ ...on, userId: authorId, name: 'tada' })),
  });
  const { id: boardId } = await db.board.findUniqueOrThrow({ where: { projectId } });
  await db.boardList.create({ data: { boardId, labelId, position: number } });
  await db.accessRequest.createMany({
    data: sources.map((source) => ({ ...source, userId: authorId })),
  });
  await db.variable.createMany({
    data: sources.map((source) => ({
      ...source,
      key: `KEY_${number}`,
      valueSealed: secrets.seal('value'),
    })),
  });
  return (
    first ?? {
      issueId,
      noteId,
      boardId,
      projectMilestoneId: projectMilestoneId ?? 0,
      groupMilestoneId: groupMilestoneId ?? 0,
    }
  );
}
