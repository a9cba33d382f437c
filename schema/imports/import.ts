import type { Context } from '../kernel/context.ts';
import { noObject } from '../kernel/no-object.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { Attempt } from '../ports/jobs.ts';
import { unfinishedImportStates } from '../projects/policy.ts';
import { settlePush } from '../repository/settle.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'secrets' | 'settings'>;

/**
 * The import job: marks the project as started, then as finished or failed. Retries a source that
 * cannot be reached until the last attempt; idempotent. Deletes the URL with its credentials as
 * soon as it is no longer needed.
 */
export async function importProject(
  projectId: number,
  { isLast, signal }: Attempt,
  parts: Parts,
): Promise<void> {
  const { db, git, secrets } = parts;
  const pending = { id: projectId, isRemoved: false, importStatus: { in: unfinishedImportStates } };
  const project = await db.project.findFirst({ where: pending });
  if (!project || project.importSourceSealed === null) return;
  const change = (data: object) => db.project.updateMany({ where: pending, data });
  await change({ importStatus: 'started' });
  const untilRemoved = abortWhenRemoved(
    async () => (await db.project.count({ where: pending })) > 0,
  );
  const source = secrets.open(project.importSourceSealed);
  const either = AbortSignal.any([signal, untilRemoved.signal]);
  const imported = await git.importFrom(project, source, either).finally(untilRemoved.end);
  if (imported.outcome === 'failed') {
    if (imported.isPassing && !isLast) throw new Error(imported.text);
    await change({
      importStatus: 'failed',
      importError: imported.text,
      importSourceSealed: null,
    });
    return;
  }
  await settleFirstPush(project, imported.head, parts);
  await change({ importStatus: 'finished', importError: null, importSourceSealed: null });
}

const lookEvery = 5_000;

/** Aborts its signal once the project is removed. */
function abortWhenRemoved(isWanted: () => Promise<boolean>) {
  const over = new AbortController();
  const timer = setInterval(async () => {
    // a database error does not mean that the project is removed
    if (!(await isWanted().catch(() => true))) over.abort();
  }, lookEvery);
  return { signal: over.signal, end: () => clearInterval(timer) };
}

/**
 * Applies the consequences of a first push to an imported repository: default branch, its
 * protection, sizes. `head`: the branch that the source's HEAD names, or null.
 */
export async function settleFirstPush(
  project: RepositoryAddress & { readonly id: number },
  head: string | null,
  parts: Omit<Parts, 'secrets'>,
): Promise<void> {
  const { db, git } = parts;
  const branches = await git.refs(project, 'refs/heads/');
  const names = [head, 'master', 'main'].flatMap((name) => name ?? []);
  const refs = names.map((name) => `refs/heads/${name}`);
  const [first] = branches.slice(0, 1, 'asc');
  const references = await git.readRefs(
    project,
    first ? [...refs, `refs/heads/${first.name}`] : refs,
  );
  const [born] = references;
  const changes = born ? [{ ref: born[0], before: noObject, after: born[1] }] : [];
  const { id } = await db.push.create({
    data: { projectId: project.id, changes },
    select: { id: true },
  });
  await settlePush(id, parts);
}
