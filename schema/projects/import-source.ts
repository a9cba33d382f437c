import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { invalid } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import type { ProjectOrigin } from './create.ts';
import { isImportUnfinished, unfinishedImportStates } from './policy.ts';

type Parts = Pick<Context, 'jobs' | 'remotes' | 'secrets'>;

/**
 * A new project whose repository is imported from `url`, which may contain credentials; throws if
 * it is no valid URL.
 */
export function importOrigin(url: string, userId: number, parts: Parts): ProjectOrigin {
  return {
    columns: importColumns(url, parts),
    follow: (tx, projectId) => enqueueImport(tx, { projectId, userId }, parts),
  };
}

/** The columns of a project to be imported. The URL is sealed, because it is never shown. */
function importColumns(url: string, { remotes, secrets }: Parts) {
  const fault = remotes.fault(url);
  if (fault !== null) throw invalid({ importUrl: [fault] });
  return { importStatus: 'scheduled', importSourceSealed: secrets.seal(url) } as const;
}

/**
 * The columns for an existing project; throws unless its repository is empty and no import is
 * running.
 */
export async function reimportColumns(
  project: RepositoryAddress & { readonly importStatus: string },
  url: string,
  ctx: Parts & Pick<Context, 'git'>,
) {
  const columns = importColumns(url, ctx);
  if (isImportUnfinished(project)) throw invalid({ importUrl: underWay });
  const [branches, tags] = await Promise.all([
    ctx.git.refs(project, 'refs/heads/'),
    ctx.git.refs(project, 'refs/tags/'),
  ]);
  if (branches.total + tags.total > 0) {
    throw invalid({ importUrl: ['can only be given to a project without a repository'] });
  }
  return { ...columns, importError: null };
}

/** Writes those columns with the project locked; of two concurrent imports one is rejected. */
export async function scheduleImport(
  tx: Transaction,
  payload: Required<JobPayloads['import-project']>,
  columns: Awaited<ReturnType<typeof reimportColumns>>,
  parts: Parts,
): Promise<void> {
  const { count } = await tx.project.updateMany({
    where: { id: payload.projectId, importStatus: { notIn: unfinishedImportStates } },
    data: columns,
  });
  if (count === 0) throw invalid({ importUrl: underWay });
  await enqueueImport(tx, payload, parts);
}

const underWay = ['is being imported from already'];

/** Enqueues the job in the transaction that writes these columns. */
const enqueueImport = (
  tx: Transaction,
  payload: JobPayloads['import-project'],
  { jobs }: Parts,
): Promise<void> => jobs.enqueue('import-project', payload, tx);
