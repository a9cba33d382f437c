import type { Transaction } from '../../prisma/client.ts';
import { projectSelection } from '../activity/payload.ts';
import type { WebhookEvent, WebhookPayload } from '../hook-payloads/index.ts';
import { issuePayload } from '../issues/notify.ts';
import type { Context } from '../kernel/context.ts';
import { noObject } from '../kernel/no-object.ts';
import { headForHooks, mergeRequestPayload } from '../merge-requests/hook-payload.ts';
import { jobPayload, pipelinePayload } from '../pipelines/notify.ts';
import { payloadLimits, pushPayload } from '../repository/push-message.ts';
import { pushedRef } from '../repository/pushed-ref.ts';

/** An event that a webhook of a project can be tested with. */
export type TestEvent = 'push' | 'issue' | 'merge_request' | 'pipeline' | 'job';

interface Subject {
  readonly projectId: number;
  /** The user who tests. */
  readonly userId: number;
}

interface Sample {
  readonly event: WebhookEvent;
  /** Null if the project has nothing to send. */
  readonly read: (
    tx: Transaction,
    subject: Subject,
    ctx: Context,
  ) => Promise<WebhookPayload | null>;
}

const newest = { orderBy: { id: 'desc' }, select: { id: true } } as const;

/** How the payload of each event is made of the newest record of the project. */
export const samples: Readonly<Record<TestEvent, Sample>> = {
  push: { event: 'Push Hook', read: latestCommit },
  issue: {
    event: 'Issue Hook',
    read: async (tx, { projectId, userId }, ctx) => {
      const issue = await tx.issue.findFirst({
        where: { projectId, isConfidential: false },
        orderBy: { iid: 'desc' },
        select: { id: true },
      });
      return issue && issuePayload(tx, { id: issue.id, action: 'update', actorId: userId }, ctx);
    },
  },
  merge_request: {
    event: 'Merge Request Hook',
    read: async (tx, { projectId, userId }, ctx) => {
      const mergeRequest = await tx.mergeRequest.findFirst({
        where: { projectId },
        orderBy: { iid: 'desc' },
        include: { project: true, sourceProject: true },
      });
      if (!mergeRequest) return null;
      const head = await headForHooks(mergeRequest.sha, mergeRequest, ctx);
      return mergeRequestPayload(tx, { id: mergeRequest.id, action: 'update', userId, head }, ctx);
    },
  },
  pipeline: {
    event: 'Pipeline Hook',
    read: async (tx, { projectId }, ctx) => {
      const pipeline = await tx.pipeline.findFirst({ where: { projectId }, ...newest });
      return pipeline && pipelinePayload(tx, pipeline.id, ctx);
    },
  },
  job: {
    event: 'Job Hook',
    read: async (tx, { projectId }, ctx) => {
      const pipeline = await tx.pipeline.findFirst({ where: { projectId }, ...newest });
      if (!pipeline) return null;
      const job = await tx.job.findFirst({ where: { pipelineId: pipeline.id }, ...newest });
      return job && jobPayload(tx, job.id, ctx);
    },
  },
};

/** A push of the latest commit to the default branch; null while the repository is empty. */
async function latestCommit(
  tx: Transaction,
  { projectId, userId }: Subject,
  ctx: Context,
): Promise<WebhookPayload | null> {
  const [project, user] = await Promise.all([
    tx.project.findUniqueOrThrow({
      where: { id: projectId },
      select: { ...projectSelection, storage: true, diskPath: true },
    }),
    tx.user.findUniqueOrThrow({ where: { id: userId } }),
  ]);
  if (project.defaultBranch === null) return null;
  const ref = `refs/heads/${project.defaultBranch}`;
  const after = (await ctx.git.readRefs(project, [ref])).get(ref);
  const tip = after === undefined ? null : await ctx.git.commitBehind(project, after);
  if (!tip) return null;
  const change = { ref, before: tip.parentIds[0] ?? noObject, after: tip.id };
  const pushed = await pushedRef(project, change, ctx.git);
  return pushPayload(project, user, pushed, payloadLimits(), ctx);
}
