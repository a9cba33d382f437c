import { copyFork } from '../../schema/forks/copy.ts';
import { deliverHook } from '../../schema/hooks/deliver.ts';
import { importProject } from '../../schema/imports/import.ts';
import { recordFailedImport } from '../../schema/imports/record-failure.ts';
import { sweepJobFiles } from '../../schema/jobs/sweep-files.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { recordVersions } from '../../schema/merge-request-versions/record.ts';
import { recordCommits } from '../../schema/merge-requests/record-commits.ts';
import { followPush } from '../../schema/merging/follow.ts';
import { linkMergedObjects } from '../../schema/merging/link-objects.ts';
import { mergeAfterPipeline } from '../../schema/merging/merge-after-pipeline.ts';
import { rebaseSource } from '../../schema/merging/rebase-source.ts';
import { settleLockedMerge } from '../../schema/merging/settle-merge.ts';
import { eraseNamespace, eraseProject } from '../../schema/namespaces/remove.ts';
import { runSchedule } from '../../schema/pipeline-schedules/run.ts';
import { createPushedPipelines } from '../../schema/pipelines/pushed-pipelines.ts';
import { applyPushOptions } from '../../schema/pushes/apply-options.ts';
import { housekeep, packProject } from '../../schema/repository/housekeeping.ts';
import { settlePushStep } from '../../schema/repository/push-steps.ts';
import { refreshStatistics } from '../../schema/repository/statistics.ts';
import { settleHandedOver } from './ledger.ts';
import type { JobHandlers } from './work.ts';

/** The handlers of all kinds of jobs; a handler calls the core, as a facade does. */
export const jobHandlers = (
  parts: Pick<
    Context,
    | 'baseUrl'
    | 'sshUrl'
    | 'db'
    | 'git'
    | 'hookSender'
    | 'jobFiles'
    | 'jobs'
    | 'secrets'
    | 'settings'
    | 'uploads'
    | 'workers'
  >,
): JobHandlers => ({
  'remove-project': ({ projectId }) => eraseProject(projectId, parts),
  'remove-namespace': ({ namespaceId }) => eraseNamespace(namespaceId, parts),
  'remove-uploads': ({ owner }) => parts.uploads.removeAll(owner),
  'refresh-statistics': (payload) => refreshStatistics(payload, parts),
  'import-project': (payload, attempt) => importProject(payload, attempt, parts),
  'fork-project': (payload, attempt) => copyFork(payload, attempt, parts),
  'give-up-arrival': ({ projectId }) => recordFailedImport(projectId, parts),
  'deliver-hook': ({ deliveryId }, attempt) => deliverHook(deliveryId, attempt, parts),
  'housekeep-project': ({ projectId }) => housekeep(projectId, parts),
  'pack-project': ({ projectId }) => packProject(projectId, parts),
  'follow-push': (payload, { signal }) => followPush(payload, signal, parts),
  'apply-push-options': async (payload, { signal }) => {
    await applyPushOptions(payload, signal, parts);
  },
  'make-pipelines': (payload, { signal }) => createPushedPipelines(payload, signal, parts),
  'link-merged-objects': (payload, { signal }) => linkMergedObjects(payload, signal, parts),
  'record-merge-request-commits': async ({ mergeRequestId }, { signal }) => {
    await recordCommits(mergeRequestId, signal, parts);
    await recordVersions(mergeRequestId, parts, signal);
  },
  'run-schedule': (payload, { signal }) => runSchedule(payload, signal, parts),
  'sweep-job-files': (job) => sweepJobFiles(job, parts),
  'pipeline-ended': (payload, { signal }) => mergeAfterPipeline(payload, signal, parts),
  'rebase-merge-request': (payload, attempt) => rebaseSource(payload, attempt, parts),
  'settle-push': ({ pushId }) => settleHandedOver(BigInt(pushId), parts),
  'settle-push-step': ({ stepId }) => settlePushStep(BigInt(stepId), parts),
  'settle-merge': ({ mergeRequestId }) => settleLockedMerge(mergeRequestId, parts),
});
