import { settleFirstPush } from '../../schema/imports/import.ts';
import { noObject } from '../../schema/kernel/no-object.ts';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { prepareWiki } from '../../schema/wikis/find.ts';
import type { ProjectImport } from './project-import.ts';

type Repositories = Pick<
  ProjectImport,
  | 'source'
  | 'original'
  | 'target'
  | 'git'
  | 'db'
  | 'jobs'
  | 'baseUrl'
  | 'sshUrl'
  | 'settings'
  | 'signal'
  | 'report'
>;

/** Branches, tags and heads of merge requests. Throws if the source does not give them. */
export async function importRepository(project: Repositories): Promise<void> {
  const { source, original, target, git, signal } = project;
  const url = source.repositoryUrl(original.path_with_namespace);
  const imported = await git.mirrorFrom(target.repository, url, signal);
  if (imported.outcome === 'failed') {
    throw new Error(`The repository of ${original.path_with_namespace}: ${imported.text}`);
  }
  if (target.defaultBranch !== null) return;
  const head = original.default_branch ?? imported.head;
  await settleFirstPush({ id: target.id, ...target.repository }, head, project);
}

const wikiBranch = 'refs/heads/master';

/** The pages of the wiki with their history; a project without a wiki is left without one. */
export async function importWiki(project: Repositories): Promise<void> {
  const { source, original, target, git, signal, report } = project;
  const path = `${original.path_with_namespace}.wiki`;
  const address = git.wikiOf(target.repository);
  await prepareWiki({ projectId: target.id, project: target.repository, address }, project);
  const imported = await git.mirrorFrom(address, source.repositoryUrl(path), signal);
  if (imported.outcome === 'failed') {
    if (imported.isPassing) throw new Error(`${path}: ${imported.text}`);
    report.leaveOut(`${path}: ${imported.text}`);
    return;
  }
  if (imported.head === null) return;
  await showPages(address, `refs/heads/${imported.head}`, project);
  report.add('wikis', path);
}

/** Pages are read from one branch, and other servers name theirs differently. */
async function showPages(
  address: RepositoryAddress,
  head: string,
  { git }: Repositories,
): Promise<void> {
  const refs = await git.readRefs(address, [head, wikiBranch]);
  const after = refs.get(head);
  const before = refs.get(wikiBranch) ?? noObject;
  if (after === undefined || after === before) return;
  const moved = await git.updateRefs(address, [{ ref: wikiBranch, before, after }]);
  if (moved !== 'moved') throw new Error('The wiki was changed during its import.');
}
