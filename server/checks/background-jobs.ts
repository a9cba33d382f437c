import type { JobKind } from '../../schema/ports/jobs.ts';
import type { Check, Finding, ServiceParts } from './check.ts';
import type { Tally } from './tally.ts';

/** A push is settled within seconds; the queue tries one again for about a day. */
const unsettledAfter = 3_600_000;

/** Records read at once. */
const batch = 1_000;

/** Kinds whose failure is usually that of a service elsewhere. */
const outsideKinds: readonly string[] = ['deliver-hook', 'import-project'] satisfies JobKind[];

const advice =
  'Correct the cause, and retry the jobs on the page "Background jobs" of the administration.';

interface Letter {
  readonly id: number;
  readonly kind: string;
  readonly error: string;
  readonly project: { readonly fullPath: string } | null;
}

async function* failedJobs({ db, tally }: ServiceParts): AsyncGenerator<Finding> {
  const kinds = new Map<string, { readonly jobs: Tally; readonly error: string }>();
  for (let before: number | null = null; ; ) {
    const letters: readonly Letter[] = await db.deadLetter.findMany({
      ...(before !== null && { where: { id: { lt: before } } }),
      select: { id: true, kind: true, error: true, project: { select: { fullPath: true } } },
      orderBy: { id: 'desc' },
      take: batch,
    });
    for (const { id, kind, error, project } of letters) {
      const entry = kinds.get(kind) ?? { jobs: tally(), error };
      kinds.set(kind, entry);
      entry.jobs.add(`#${id}${project ? ` in ${project.fullPath}` : ''}`);
    }
    before = letters.at(-1)?.id ?? null;
    if (before === null) break;
  }
  for (const [kind, { jobs, error }] of kinds) {
    yield {
      level: outsideKinds.includes(kind) ? 'warning' : 'error',
      problem: `background jobs ${kind} that failed permanently, ${jobs.text}: ${error}`,
      advice,
      items: jobs,
    };
  }
}

async function* unsettledPushes({ db, tally }: ServiceParts): AsyncGenerator<Finding> {
  const pushes = tally();
  const createdAt = { lt: new Date(Date.now() - unsettledAfter) };
  for (let after = 0n; ; ) {
    const entries = await db.push.findMany({
      where: { createdAt, id: { gt: after } },
      select: { id: true, project: { select: { fullPath: true } } },
      orderBy: { id: 'asc' },
      take: batch,
    });
    for (const { id, project } of entries) pushes.add(`#${id} to ${project.fullPath}`);
    const last = entries.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (pushes.count === 0) return;
  yield {
    level: 'error',
    problem: `pushes that are not settled for more than an hour, ${pushes.text}`,
    advice,
    items: pushes,
  };
}

/** What the queue has given up, and pushes whose consequences are due. */
export const backgroundJobChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'background jobs', run: () => failedJobs(parts) },
  { name: 'pushes', run: () => unsettledPushes(parts) },
];
