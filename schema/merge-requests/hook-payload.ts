import type { Transaction } from '../../prisma/client.ts';
import {
  commitPayload,
  labelPayload,
  projectPayload,
  projectSelection,
  repositoryPayload,
  userPayload,
} from '../activity/payload.ts';
import type { MergeRequestPayload } from '../hook-payloads/merge-request.ts';
import type { ChangesPayload } from '../hook-payloads/parts.ts';
import type { Context } from '../kernel/context.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { CommitRecord } from '../ports/git/history.ts';
import { isWorkInProgress } from './title.ts';

export type MergeRequestAction = 'open' | 'update' | 'close' | 'reopen' | 'merge';

/** The head commit of a merge request, read before the transaction that notifies hooks. */
export interface HeadForHooks {
  readonly sha: string | null;
  /** Null if no repository has it. */
  readonly commit: CommitRecord | null;
  readonly isInSource: boolean;
}

/** The projects of a merge request; the source is null if the fork was deleted. */
export interface ProjectPair {
  readonly project: RepositoryAddress;
  readonly sourceProject: RepositoryAddress | null;
}

/**
 * Reads the head commit from whichever repository has it. Call it before the transaction, so that
 * no row is locked while git runs.
 */
export async function headForHooks(
  sha: string | null,
  { project, sourceProject }: ProjectPair,
  { git }: Pick<Context, 'git'>,
): Promise<HeadForHooks> {
  if (sha === null) return { sha, commit: null, isInSource: false };
  const inSource = sourceProject && (await git.commitBehind(sourceProject, sha).catch(() => null));
  if (inSource) return { sha, commit: inSource, isInSource: true };
  const commit = await git.commitBehind(project, sha).catch(() => null);
  return { sha, commit, isInSource: false };
}

export interface MergeRequestEvent {
  readonly id: number;
  readonly action: MergeRequestAction;
  /** The acting user; null for automatic changes. */
  readonly userId: number | null;
  readonly changes?: ChangesPayload;
  readonly head: HeadForHooks;
}

type EventInstance = Pick<Context, 'settings' | 'baseUrl' | 'sshUrl'>;

/** The hook payload of a merge request, as of the transaction that changed it. */
export async function mergeRequestPayload(
  tx: Transaction,
  { id, action, userId, changes = {}, head }: MergeRequestEvent,
  instance: EventInstance,
): Promise<MergeRequestPayload> {
  const [mergeRequest, user] = await Promise.all([
    tx.mergeRequest.findUniqueOrThrow({
      where: { id },
      include: {
        text: true,
        assignee: true,
        project: { select: projectSelection },
        sourceProject: { where: { isRemoved: false }, select: projectSelection },
        labels: { select: { label: true }, orderBy: { labelId: 'asc' } },
      },
    }),
    userId === null ? null : tx.user.findUnique({ where: { id: userId } }),
  ]);
  const { project, sourceProject, assignee, text } = mergeRequest;
  const target = projectPayload(project, instance);
  const title = text?.title ?? '';
  const payloadProject = (head.isInSource && sourceProject) || project;
  return {
    object_kind: 'merge_request',
    user: user && userPayload(user, instance),
    project: target,
    object_attributes: {
      id,
      iid: mergeRequest.iid,
      target_branch: mergeRequest.targetBranch,
      source_branch: mergeRequest.sourceBranch,
      source_project_id: sourceProject?.id ?? null,
      target_project_id: mergeRequest.projectId,
      author_id: mergeRequest.authorId,
      assignee_id: mergeRequest.assigneeId,
      milestone_id: mergeRequest.milestoneId,
      title,
      description: text?.description ?? null,
      created_at: mergeRequest.createdAt.toISOString(),
      updated_at: mergeRequest.updatedAt.toISOString(),
      state: mergeRequest.state,
      merge_status: mergeRequest.mergeStatus,
      merge_commit_sha: mergeRequest.mergeCommitSha,
      merge_user_id: mergeRequest.mergedById,
      merge_when_pipeline_succeeds: mergeRequest.mergesWhenPipelineSucceeds,
      work_in_progress: isWorkInProgress(title),
      time_estimate: mergeRequest.timeEstimate,
      total_time_spent: mergeRequest.totalTimeSpent,
      human_time_estimate: formatDuration(mergeRequest.timeEstimate),
      human_total_time_spent: formatDuration(mergeRequest.totalTimeSpent),
      url: `${instance.baseUrl}/${project.fullPath}/merge_requests/${mergeRequest.iid}`,
      source: sourceProject && projectPayload(sourceProject, instance),
      target,
      last_commit: head.commit && commitPayload(head.commit, payloadProject, instance),
      action,
    },
    labels: mergeRequest.labels.map(({ label }) => ({ ...labelPayload(label), template: false })),
    changes,
    repository: repositoryPayload(project, instance),
    ...(assignee && { assignee: userPayload(assignee, instance) }),
  };
}
