import type { JobKind } from '../../schema/ports/jobs.ts';
import { type Check, type Finding, type ServiceParts, tally } from './check.ts';

/** A push is settled within seconds; the queue tries one again for about a day. */
const unsettledAfter = 3_600_000;

/** Dead letters read; further ones are of no use in a report. */
const mostRead = 1_000;

/** Kinds whose failure is usually that of a service elsewhere. */
const outsideKinds: readonly string[] = ['deliver-hook', 'import-project'] satisfies JobKind[];

const advice =
  'Correct the cause, and retry the jobs on the page "Background jobs" of the administration.';

async function* failedJobs({ db }: ServiceParts): AsyncGenerator<Finding> {
  const letters = await db.deadLetter.findMany({
    select: { id: true, kind: true, error: true, project: { select: { fullPath: true } } },
    orderBy: { id: 'desc' },
    take: mostRead,
  });
  for (const [kind, ofKind] of Map.groupBy(letters, (letter) => letter.kind)) {
    const jobs = tally();
    for (const { id, project } of ofKind)
      jobs.add(`#${id}${project ? ` in ${project.fullPath}` : ''}`);
    yield {
      level: outsideKinds.includes(kind) ? 'warning' : 'error',
      problem: `background jobs ${kind} that failed permanently, ${jobs.text}: ${ofKind[0]?.error}`,
      advice,
    };
  }
}

async function* unsettledPushes({ db }: ServiceParts): AsyncGenerator<Finding> {
  const entries = await db.push.findMany({
    where: { createdAt: { lt: new Date(Date.now() - unsettledAfter) } },
    select: { id: true, project: { select: { fullPath: true } } },
    orderBy: { id: 'asc' },
    take: mostRead,
  });
  if (entries.length === 0) return;
  const pushes = tally();
  for (const { id, project } of entries) pushes.add(`#${id} to ${project.fullPath}`);
  yield {
    level: 'error',
    problem: `pushes that are not settled for more than an hour, ${pushes.text}`,
    advice,
  };
}

/** What the queue has given up, and pushes whose consequences are due. */
export const backgroundJobChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'background jobs', run: () => failedJobs(parts) },
  { name: 'pushes', run: () => unsettledPushes(parts) },
];
