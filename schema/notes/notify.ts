import type { Prisma, Transaction } from '../../prisma/client.ts';
import { notifyHooks } from '../activity/notify-hooks.ts';
import {
  projectPayload,
  projectSelection,
  repositoryPayload,
  userPayload,
} from '../activity/payload.ts';
import type { NotePayload } from '../hook-payloads/note.ts';
import { issueAttributes, readIssue } from '../issues/notify.ts';
import type { Context } from '../kernel/context.ts';
import { discussionKey } from './discussion-key.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'jobs' | 'settings'>;

/** Notifies the subscribed hooks of a note, in the transaction that stores it. */
export async function notifyNote(tx: Transaction, noteId: number, parts: Parts): Promise<void> {
  const note = await tx.note.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id: noteId },
    include: {
      author: true,
      issue: { select: { projectId: true, isConfidential: true } },
      mergeRequest: { include: { text: true } },
      snippet: true,
      thread: true,
      position: true,
    },
  });
  const about = note.issue ?? note.mergeRequest ?? note.snippet;
  const { author } = note;
  const projectId = about?.projectId ?? null;
  if (projectId === null || !author) return;
  const isConfidential = note.issue?.isConfidential ?? note.snippet?.visibility === 'private';
  const hookEvent = isConfidential
    ? ({ projectId, subscription: 'onConfidentialNote', event: 'Confidential Note Hook' } as const)
    : ({ projectId, subscription: 'onNote', event: 'Note Hook' } as const);
  await notifyHooks(tx, parts.jobs, hookEvent, async (): Promise<NotePayload> => {
    const project = await tx.project.findUniqueOrThrow({
      where: { id: projectId },
      select: projectSelection,
    });
    const noteable = await noteablePayload(tx, note, parts);
    return {
      object_kind: 'note',
      user: userPayload(author, parts),
      project_id: projectId,
      project: projectPayload(project, parts),
      object_attributes: {
        id: note.id,
        note: note.body,
        noteable_type: noteable.type,
        noteable_id: noteable.id,
        author_id: note.authorId,
        project_id: projectId,
        created_at: note.createdAt.toISOString(),
        updated_at: note.updatedAt.toISOString(),
        attachment: null,
        line_code: note.position?.lineCode ?? null,
        commit_id: null,
        st_diff: null,
        system: note.isSystem,
        url: `${parts.baseUrl}/${project.fullPath}/${noteable.path}#note_${note.id}`,
        ...threadPayload(note),
      },
      repository: repositoryPayload(project, parts),
      ...noteable.payload,
    };
  });
}

type ThreadNote = Prisma.NoteGetPayload<{ include: { thread: true; position: true } }>;

/** What only notes of threads have. */
function threadPayload({ thread, position }: ThreadNote) {
  if (!thread) return {};
  return {
    type: position ? ('DiffNote' as const) : ('DiscussionNote' as const),
    discussion_id: discussionKey('note', thread.startedBy),
    ...(position && { position: positionPayload(position) }),
  };
}

function positionPayload(position: NonNullable<ThreadNote['position']>) {
  const { type, baseSha, startSha, headSha, oldPath, newPath, oldLine, newLine } = position;
  const { width, height, x, y } = position;
  return {
    base_sha: baseSha,
    start_sha: startSha,
    head_sha: headSha,
    old_path: oldPath,
    new_path: newPath,
    position_type: type,
    ...(type === 'text' ? { old_line: oldLine, new_line: newLine } : { width, height, x, y }),
  };
}

type PayloadNote = Prisma.NoteGetPayload<{
  include: { mergeRequest: { include: { text: true } }; snippet: true };
}>;

interface NoteablePayload {
  readonly type: NotePayload['object_attributes']['noteable_type'];
  readonly id: number;
  /** Relative to its project's URL. */
  readonly path: string;
  readonly payload: Pick<NotePayload, 'issue' | 'merge_request' | 'snippet'>;
}

/** The payload of the noteable. */
async function noteablePayload(
  tx: Transaction,
  { id: noteId, issueId, mergeRequest, snippet }: PayloadNote,
  parts: Parts,
): Promise<NoteablePayload> {
  if (issueId !== null) {
    const issue = issueAttributes(await readIssue(tx, issueId), parts);
    return { type: 'Issue', id: issueId, path: `issues/${issue.iid}`, payload: { issue } };
  }
  if (mergeRequest) {
    const { id, iid, state, sourceBranch, targetBranch } = mergeRequest;
    const { sourceProjectId, projectId, authorId, assigneeId, milestoneId, text } = mergeRequest;
    return {
      type: 'MergeRequest',
      id,
      path: `merge_requests/${iid}`,
      payload: {
        merge_request: {
          ...{ id, iid, state, title: text?.title ?? '', description: text?.description ?? null },
          source_branch: sourceBranch,
          target_branch: targetBranch,
          source_project_id: sourceProjectId,
          target_project_id: projectId,
          author_id: authorId,
          assignee_id: assigneeId,
          milestone_id: milestoneId,
          merge_status: mergeRequest.mergeStatus,
          created_at: mergeRequest.createdAt.toISOString(),
          updated_at: mergeRequest.updatedAt.toISOString(),
        },
      },
    };
  }
  if (!snippet) throw new Error(`note ${noteId} belongs to nothing`);
  const { id } = snippet;
  return {
    type: 'Snippet',
    id,
    path: `snippets/${id}`,
    payload: {
      snippet: {
        id,
        title: snippet.title,
        file_name: snippet.fileName,
        author_id: snippet.authorId,
        project_id: snippet.projectId,
        created_at: snippet.createdAt.toISOString(),
        updated_at: snippet.updatedAt.toISOString(),
      },
    },
  };
}
