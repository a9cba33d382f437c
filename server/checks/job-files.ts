import pLimit from 'p-limit';
import { type Database, Prisma } from '../../prisma/client.ts';
import { artifactsKey } from '../job-files/paths.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Check, Finding, ServiceParts } from './check.ts';
import { atPlaces, filesAt, filesWithoutRecord, type StoredFile } from './stored-files.ts';

/** Jobs read, and files looked at, at once. */
const batch = 1_000;
const atOnce = 16;

/** The ids of jobs whose artifacts are recorded, not expired, and missing on disk; in batches. */
export async function* jobsWithoutArtifacts({
  db,
  objects,
}: Pick<ServiceParts, 'db'> & { readonly objects: ObjectStore }): AsyncGenerator<
  readonly number[]
> {
  const limit = pLimit(atOnce);
  for (let after = 0; ; ) {
    const jobs = await db.job.findMany({
      where: {
        id: { gt: after },
        artifactsFile: { not: null },
        OR: [{ artifactsExpireAt: null }, { artifactsExpireAt: { gt: new Date() } }],
      },
      select: { id: true, projectId: true },
      orderBy: { id: 'asc' },
      take: batch,
    });
    const last = jobs.at(-1);
    if (!last) return;
    after = last.id;
    const isMissing = async (job: (typeof jobs)[number]) =>
      (await objects.size(artifactsKey(job))) === null;
    const missing = await Promise.all(jobs.map((job) => limit(() => isMissing(job))));
    const ids = jobs.filter((_, place) => missing[place]).map(({ id }) => id);
    if (ids.length > 0) yield ids;
  }
}

async function* artifactFindings({ db, places, tally }: ServiceParts): AsyncGenerator<Finding> {
  const missing = tally();
  for await (const ids of jobsWithoutArtifacts({ db, objects: places.objects }))
    for (const id of ids) missing.add(String(id));
  if (missing.count === 0) return;
  yield {
    level: 'error',
    problem: `jobs without their artifacts, ${missing.text}`,
    advice: 'Put the files back from a backup, or erase these jobs.',
    items: missing,
  };
}

/** Those of the files `<project>/<folder>/<job>.<suffix>` whose job is absent, or has no artifacts. */
const unrecordedOf =
  (condition: Prisma.Sql, db: Database) =>
  async (files: readonly StoredFile[]): Promise<readonly StoredFile[]> => {
    const jobs = files.map(({ names }) => Number.parseInt(names[2] ?? '', 10) || 0);
    const projects = files.map(({ names: [id] }) => Number(id) || 0);
    const rows = await db.$queryRaw<{ place: bigint }[]>`
      SELECT file.place
      FROM unnest(${jobs}::int[], ${projects}::int[]) WITH ORDINALITY AS file (id, project_id, place)
      WHERE NOT EXISTS (
        SELECT FROM jobs
        WHERE jobs.id = file.id AND jobs.project_id = file.project_id AND ${condition})`;
    return atPlaces(files, rows);
  };

async function* unknownFiles({ db, places, tally }: ServiceParts): AsyncGenerator<Finding> {
  const hasTrace = unrecordedOf(Prisma.sql`jobs.erased_at IS NULL`, db);
  const hasArtifacts = unrecordedOf(Prisma.sql`jobs.artifacts_file IS NOT NULL`, db);
  const traces = filesAt(places.traces, 'traces/', 2);
  const artifacts = filesAt(places.objects, 'artifacts/', 2);
  yield* filesWithoutRecord('traces', traces, hasTrace, tally());
  yield* filesWithoutRecord('artifacts', artifacts, hasArtifacts, tally());
}

/** Compares jobs with their files. */
export const jobFileChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'artifacts', run: () => artifactFindings(parts) },
  { name: 'unknown job files', run: () => unknownFiles(parts) },
];
