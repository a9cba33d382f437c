import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { type Database, Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isAmong } from '../kernel/sql.ts';
import type { CiStatus } from '../pipelines/status.ts';
import { authenticateJob } from './credentials.ts';

/** A job whose runner sends updates. */
export interface TracedJob {
  readonly id: number;
  readonly projectId: number;
  readonly status: CiStatus;
  /** Bytes according to the record; the file may be longer. */
  readonly traceSize: number;
  readonly heardAt: Date | null;
  readonly erasedAt: Date | null;
  readonly tokenDigest: Uint8Array | null;
  readonly runnersTokenSealed: string;
  readonly project: { readonly isRemoved: boolean };
}

interface Row extends Omit<TracedJob, 'project'> {
  readonly isRemoved: boolean;
}

type Loader = DataLoader<number, TracedJob | null>;

const loaders = new WeakMap<Database, Loader>();

/**
 * Batches the lookups of concurrent requests into one statement. Nothing is cached: a job that any
 * process has just canceled or erased is seen as such.
 */
const loaderFor = (db: Database): Loader => {
  const existing = loaders.get(db);
  if (existing) return existing;
  const loader: Loader = new DataLoader((ids) => load(ids, db), {
    cache: false,
    maxBatchSize: 200,
    // wait for the requests that the sockets have received by now
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  });
  loaders.set(db, loader);
  return loader;
};

async function load(ids: readonly number[], db: Database): Promise<(TracedJob | null)[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT jobs.id, jobs.project_id AS "projectId", jobs.status::text,
      jobs.trace_size AS "traceSize", jobs.heard_at AS "heardAt", jobs.erased_at AS "erasedAt",
      jobs.token_digest AS "tokenDigest", projects.is_removed AS "isRemoved",
      projects.runners_token_sealed AS "runnersTokenSealed"
    FROM jobs JOIN projects ON projects.id = jobs.project_id
    WHERE ${isAmong(Prisma.raw('jobs.id'), [...new Set(ids)])}`;
  const jobsByToken = new Map(
    rows.map(({ isRemoved, ...row }) => [row.id, { ...row, project: { isRemoved } }]),
  );
  return ids.map((id) => jobsByToken.get(id) ?? null);
}

/** The same job as `findJobByToken` with the same errors, optimized for frequent requests. */
export async function findTracedJob(
  id: number,
  token: string | null | undefined,
  ctx: Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>,
): Promise<TracedJob> {
  const job = await loaderFor(ctx.db).load(id);
  return authenticateJob(job, token, ctx);
}

const remembered = 1000;
const opened = new LRUCache<string, string>({ max: remembered });

/** Secrets to mask in a job's trace: its own token, and its project's registration token. */
export function secretsOf(
  { runnersTokenSealed }: Pick<TracedJob, 'runnersTokenSealed'>,
  token: string,
  secrets: Context['secrets'],
): readonly string[] {
  const registrationToken = opened.get(runnersTokenSealed) ?? secrets.open(runnersTokenSealed);
  opened.set(runnersTokenSealed, registrationToken);
  return [token, registrationToken];
}
