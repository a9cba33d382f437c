import type { Context as Request } from 'koa';
import type { ArtifactsJob } from '../../rest-facade/kernel/files.ts';
import { queryOf } from '../../rest-facade/kernel/query.ts';
import { requestFacts } from '../../schema/client/request-facts.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import { findLeaving, maxArchiveBytes } from '../../schema/runner-jobs/artifacts.ts';
import type { FileTaking } from './form-files.ts';

type Core = Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>;
type Taking = Pick<FileTaking, 'names' | 'limit'>;

const file: ReadonlySet<string> = new Set(['file']);
const nothing: Taking = { names: new Set(), limit: 0 };

/**
 * Limits the form in which a runner uploads artifacts: the file is received if the job token, in a
 * header or the query, allows the upload. Otherwise nothing is written to disk, and the endpoint
 * explains why. Null for other requests.
 */
export const artifactsTaking =
  (jobOf: ArtifactsJob, core: Core) =>
  async (ctx: Request): Promise<Taking | null> => {
    const id = jobOf(ctx.method, ctx.path);
    if (id === null) return null;
    const shown = queryOf(ctx).token ?? ctx.get('Job-Token');
    const isAllowed = await mayLeave(Number(id), String(shown), {
      ...core,
      request: requestFacts(ctx),
      // the endpoint checks the token again, and counts an invalid one
      signInLimits: { ...core.signInLimits, countWrongToken: async () => 0 },
    });
    return isAllowed ? { names: file, limit: maxArchiveBytes(core) } : nothing;
  };

const largestId = 2 ** 31 - 1;

async function mayLeave(id: number, token: string, core: Core): Promise<boolean> {
  if (!(Number.isInteger(id) && id > 0 && id <= largestId)) return false;
  try {
    await findLeaving(id, token, null, core);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
