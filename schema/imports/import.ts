import type { Context } from '../kernel/context.ts';
import { noObject } from '../kernel/no-object.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { Attempt, JobPayloads } from '../ports/jobs.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { canEditProject, unfinishedImportStates } from '../projects/policy.ts';
import { settlePush } from '../repository/settle.ts';
import { levelsOf } from '../sessions/levels.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'secrets' | 'settings'>;

const denied = 'The user who started the import may no longer change the project.';

/**
 * The import job: marks the project as started, then as finished or failed. Fails if the user who
 * started it may no longer start one. Retries a source that cannot be reached until the last attempt;
 * idempotent. Deletes the URL with its credentials as soon as it is no longer needed.
 */
export async function importProject(
  { projectId, userId }: JobPayloads['import-project'],
  { isLast, signal }: Attempt,
  parts: Parts,
): Promise<void> {
  const { db, git, secrets } = parts;
  const pending = { id: projectId, isRemoved: false, importStatus: { in: unfinishedImportStates } };
  const project = await db.project.findFirst({ where: pending });
  if (!project || project.importSourceSealed === null) return;
  const change = (data: object) => db.project.updateMany({ where: pending, data });
  const fail = (importError: string) =>
    change({ importStatus: 'failed', importError, importSourceSealed: null });
  const importerId = userId ?? project.creatorId;
  const isAllowed = () => mayImport(projectId, importerId, parts);
  if (!(await isAllowed())) {
    await fail(denied);
    return;
  }
  await change({ importStatus: 'started' });
  const untilUnwanted = abortWhenUnwanted(
    async () => (await db.project.count({ where: pending })) > 0 && (await isAllowed()),
  );
  const source = secrets.open(project.importSourceSealed);
  const either = AbortSignal.any([signal, untilUnwanted.signal]);
  const imported = await git.importFrom(project, source, either).finally(untilUnwanted.end);
  if (imported.outcome === 'failed') {
    if (imported.isPassing && !isLast) throw new Error(imported.text);
    await fail(imported.text);
    return;
  }
  await settleFirstPush(project, imported.head, parts);
  await change({ importStatus: 'finished', importError: null, importSourceSealed: null });
}

const lookEvery = 5_000;

/** Whether a user may import into a project, as when the import was started. */
async function mayImport(
  id: number,
  userId: number | null,
  { db }: Pick<Parts, 'db'>,
): Promise<boolean> {
  const importer = userId === null ? null : await levelsOf(db, userId);
  if (!importer) return false;
  const project = await db.project.findFirst({
    relationLoadStrategy: 'join',
    where: { id, isRemoved: false },
    select: levelSelection(importer),
  });
  return project !== null && canEditProject(levelInProject(importer, project));
}

/** Aborts its signal once the project is removed, or its importer has lost the permission. */
function abortWhenUnwanted(isWanted: () => Promise<boolean>) {
  const over = new AbortController();
  const timer = setInterval(async () => {
    // a database error means neither
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
