import type { Database } from '../../prisma/client.ts';

/** The target of notes and emoji. */
export interface FirstMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly noteId: number;
}

interface MergeRequestSource {
  readonly projectId: number;
  readonly authorId: number;
  readonly assigneeId: number;
  readonly milestoneId: number;
}

/** All issues have a number up to 90: every merge request closes them all. */
const description = `Closes ${Array.from({ length: 90 }, (_, n) => `#${n + 2}`).join(', ')}`;

/** Adds merge request number `n` with a label of the project; notes and emoji belong to `first`. */
export async function addMergeRequest(
  db: Database,
  number: number,
  { projectId, authorId, ...around }: MergeRequestSource,
  first?: FirstMergeRequest,
): Promise<FirstMergeRequest> {
  const label = await db.label.findFirstOrThrow({ where: { projectId }, orderBy: { id: 'desc' } });
  const mergeRequest = await db.mergeRequest.create({
    data: {
      ...around,
      projectId,
      authorId,
      iid: number,
      sourceProjectId: projectId,
      sourceBranch: `branch-${number}`,
      targetBranch: 'master',
      text: { create: { title: `merge request ${number}`, description } },
      labels: { create: { labelId: label.id } },
    },
    select: { id: true, iid: true },
  });
  const mergeRequestId = first?.id ?? mergeRequest.id;
  const note = await db.note.create({
    data: { mergeRequestId, authorId, body: `note ${number}` },
  });
  const noteId = first?.noteId ?? note.id;
  await db.awardEmoji.createMany({
    data: [{ mergeRequestId }, { noteId }].map((on) => ({ ...on, userId: authorId, name: 'tada' })),
    skipDuplicates: true,
  });
  return first ?? { ...mergeRequest, noteId };
}
