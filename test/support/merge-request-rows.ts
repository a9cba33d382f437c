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
  /** A commit by which it is found. */
  readonly commit?: string;
  readonly assigneeId: number;
  readonly milestoneId: number;
}

/** All issues have a number up to 90: every merge request closes them all. */
const description = `Closes ${Array.from({ length: 90 }, (_, n) => `#${n + 2}`).join(', ')}`;

/** Adds merge request number `n` with a label of the project; notes and emoji belong to `first`. */
export async function addMergeRequest(
  db: Database,
  number: number,
  { projectId, authorId, commit, ...around }: MergeRequestSource,
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
      ...(commit !== undefined && { commits: { create: { sha: commit } } }),
    },
    select: { id: true, iid: true },
  });
  const mergeRequestId = first?.id ?? mergeRequest.id;
  const note = await db.note.create({
    data: { mergeRequestId, authorId, body: `note ${number}` },
  });
  await addReply(db, note.id, { mergeRequestId, authorId });
  // of the same head as the positions
  const version = { mergeRequestId, headSha: '0'.repeat(40), changedFiles: 1 };
  await db.mergeRequestVersion.create({ data: version });
  const noteId = first?.noteId ?? note.id;
  await db.awardEmoji.createMany({
    data: [{ mergeRequestId }, { noteId }].map((on) => ({ ...on, userId: authorId, name: 'tada' })),
    skipDuplicates: true,
  });
  return first ?? { ...mergeRequest, noteId };
}

/** Makes a note on a line the first one of a thread with a reply. */
async function addReply(
  db: Database,
  noteId: number,
  on: { readonly mergeRequestId: number; readonly authorId: number },
): Promise<void> {
  const reply = await db.note.create({
    data: { ...on, body: 'a reply', isInThread: true, isReply: true },
  });
  const ids = [noteId, reply.id];
  const { mergeRequestId, authorId } = on;
  await db.note.update({ where: { id: noteId }, data: { isInThread: true } });
  const thread = { firstNoteId: noteId, startedBy: noteId, mergeRequestId };
  await db.threadNote.createMany({
    data: ids.map((id) => ({
      ...thread,
      noteId: id,
      resolvedAt: new Date(),
      resolvedById: authorId,
    })),
  });
  const sha = '0'.repeat(40);
  const shas = { baseSha: sha, startSha: sha, headSha: sha };
  await db.diffPosition.createMany({
    data: ids.map((id) => ({
      ...shas,
      noteId: id,
      type: 'text',
      oldPath: 'a',
      newPath: 'a',
      newLine: 1,
    })),
  });
}
