import type { Logger } from 'pino';
import { deleteOldAuditEvents } from '../../schema/audit/retention.ts';
import { expireArtifacts } from '../../schema/jobs/sweep-files.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { deleteUnlinkedObjects } from '../../schema/lfs/remove.ts';
import { oldChangesDeletion } from '../../schema/listing/old-changes.ts';
import { backfillCommits } from '../../schema/merge-requests/record-commits.ts';
import { reviewAllApprovals, reviewAutomaticMerges } from '../../schema/merging/review-consents.ts';
import { enqueueSettlements } from '../../schema/merging/settle-merge.ts';
import { deleteKeysOfEndedGrants } from '../../schema/oauth/delegated-keys.ts';
import { enqueueDueSchedules } from '../../schema/pipeline-schedules/enqueue-due.ts';
import type { Directory } from '../../schema/ports/directory.ts';
import { enqueueDueHousekeeping } from '../../schema/repository/housekeeping.ts';
import { failOverdueJobs, failUnresponsiveJobs } from '../../schema/runner-jobs/timed-out-jobs.ts';
import { requeueUnclaimedJobs } from '../../schema/runner-jobs/unclaimed-jobs.ts';
import { checkDirectoryUsers } from '../../schema/sessions/directory.ts';
import { deleteExpiredAttempts } from '../accounts/sign-in-limits.ts';
import { watchOutages } from './outage-watch.ts';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

const tenSeconds = 10_000;
const aMinute = 60_000;
const fiveMinutes = 5 * aMinute;
const halfAnHour = 30 * aMinute;

/** Starts the periodic work of the server; some of it also runs at once, without being awaited. */
export function startWatchers(
  parts: Pick<
    Context,
    'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobFiles' | 'jobs' | 'lfs' | 'settings'
  >,
  { directory, auditDays }: { directory: Directory | null; auditDays: number },
  log: Logger,
): readonly PeriodicWork[] {
  const logged = (message: string) => (error: unknown) => log.error({ err: error }, message);
  const expire = () => expireArtifacts(parts);
  // merges that a killed process left unfinished
  const settleMerges = () => enqueueSettlements(parts);
  // of merge requests that versions before these tables created
  const recordCommits = () => backfillCommits(parts);
  // of users whose permissions ended without a notification: expired memberships, changed protections
  const reviewMerges = () => reviewAutomaticMerges(null, parts);
  const runSchedules = () => enqueueDueSchedules(parts);
  const requeueUnclaimed = requeueUnclaimedJobs(parts);
  const outages = watchOutages(parts.db);
  const checkRunners = async () => {
    await requeueUnclaimed();
    if (outages.isOver()) await failUnresponsiveJobs(parts);
  };
  const failOverdue = async () => {
    if (outages.isOver()) await failOverdueJobs(parts);
  };
  const checkDirectory =
    directory &&
    runPeriodically(
      fiveMinutes,
      () => checkDirectoryUsers(directory, parts),
      (error) => log.warn({ err: error }, 'the directory is unavailable'),
    );
  return [
    runPeriodically(fiveMinutes, settleMerges, logged('merges'), settleMerges()),
    runPeriodically(tenSeconds, recordCommits, logged('merge requests'), recordCommits()),
    runPeriodically(aMinute, reviewMerges, logged('automatic merges')),
    runPeriodically(halfAnHour, () => reviewAllApprovals(parts), logged('approvals')),
    runPeriodically(aMinute, expire, logged('artifacts are kept too long'), expire()),
    runPeriodically(tenSeconds, runSchedules, logged('pipeline schedules'), runSchedules()),
    // runners may reconnect after minutes offline
    runPeriodically(fiveMinutes, checkRunners, logged('silent jobs')),
    runPeriodically(aMinute, failOverdue, logged('overdue jobs')),
    outages,
    runPeriodically(fiveMinutes, () => deleteExpiredAttempts(parts.db), logged('expired attempts')),
    runPeriodically(halfAnHour, () => deleteUnlinkedObjects(parts), logged('unlinked LFS objects')),
    runPeriodically(halfAnHour, () => enqueueDueHousekeeping(parts), logged('housekeeping')),
    runPeriodically(halfAnHour, () => deleteKeysOfEndedGrants(parts), logged('ended grants')),
    runPeriodically(halfAnHour, oldChangesDeletion(parts.db), logged('old changes')),
    runPeriodically(
      halfAnHour,
      () => deleteOldAuditEvents(auditDays, parts),
      logged('old audit events'),
    ),
    ...(checkDirectory ? [checkDirectory] : []),
  ];
}
