import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import type { CiStatus } from '../pipelines/status.ts';
import { authenticateJob } from './credentials.ts';

/** A job whose runner sends what it is doing. */
export interface TracedJob {
  readonly id: number;
  readonly projectId: number;
  readonly status: CiStatus;
  /** Bytes that its record tells of; the disk knows better. */
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
 * Looks jobs up for all requests that come in side by side by one statement. Nothing is remembered:
 * what was canceled or erased a moment ago is known to be, whichever process did it.
 */
const loaderFor = (db: Database): Loader => {
  const known = loaders.get(db);
  if (known) return known;
  const loader: Loader = new DataLoader((ids) => load(ids, db), {
    cache: false,
    maxBatchSize: 200,
    // whatever the sockets have brought by now, and not one request by itself
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
    WHERE jobs.id = ANY(${[...new Set(ids)]}::int[])`;
  const found = new Map(
    rows.map(({ isRemoved, ...row }) => [row.id, { ...row, project: { isRemoved } }]),
  );
  return ids.map((id) => found.get(id) ?? null);
}

/** The same job as `findJobByToken` finds, with the same refusals, for what is sent many times a second. */
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

/** What must not stand in the trace of a job: its own token, and the one its project registers runners by. */
export function secretsOf(
  { runnersTokenSealed }: Pick<TracedJob, 'runnersTokenSealed'>,
  token: string,
  secrets: Context['secrets'],
): readonly string[] {
  const known = opened.get(runnersTokenSealed) ?? secrets.open(runnersTokenSealed);
  opened.set(runnersTokenSealed, known);
  return [token, known];
}
