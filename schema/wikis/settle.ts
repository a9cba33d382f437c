import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { settlePush } from '../repository/settle.ts';
import { textOfPage } from './content.ts';
import { pageAt } from './names.ts';
import { notifyPageChange, type PageEvent } from './notify.ts';

/** An edit of a wiki in the ledger, until hooks are notified. */
interface LedgerEdit {
  readonly commit: string;
  readonly action: PageEvent['action'];
  readonly path: string;
  /** The blob's id. */
  readonly id: string;
  readonly message: string;
}

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'settings'>;

const branch = 'refs/heads/master';

/**
 * Writes an edit to the ledger of pushes before the branch moves; gives the entry's id. `former` is
 * the entry of the same edit if its commit had to be made again.
 */
export async function enterEdit(
  { projectId, userId }: { readonly projectId: number; readonly userId: number },
  edit: LedgerEdit,
  former: bigint | null,
  { db }: Pick<Context, 'db'>,
): Promise<bigint> {
  if (former !== null) await db.push.deleteMany({ where: { id: former } });
  const changes = [{ wikiEdit: { ...edit } }];
  const { id } = await db.push.create({
    data: { projectId, userId, changes },
    select: { id: true },
  });
  return id;
}

/**
 * Settles a ledger entry after a crash: for a wiki edit, notifies hooks if the wiki contains its
 * commit; everything else is a push. `isOver` as in `settlePush`.
 */
export async function settleEntry(id: bigint, parts: Parts, isOver: boolean): Promise<void> {
  const { db, git } = parts;
  const entry = await db.push.findUnique({
    where: { id },
    select: {
      changes: true,
      project: { select: { isRemoved: true, storage: true, diskPath: true } },
    },
  });
  if (!entry) return;
  const [change] = (Array.isArray(entry.changes) ? entry.changes : []) as unknown as readonly {
    readonly wikiEdit?: LedgerEdit;
  }[];
  const edit = change?.wikiEdit;
  if (!edit) {
    await settlePush(id, parts, { isOver });
    return;
  }
  const page = pageAt(edit.path);
  const { isRemoved, storage, diskPath } = entry.project;
  const address = git.wikiOf({ storage, diskPath });
  if (page && !isRemoved && (await isIn(address, edit.commit, git))) {
    const content = () => hookContent(address, edit.id, { git });
    await notifyPageChange(id, { ...edit, page, content }, parts);
  } else if (isOver || isRemoved) await db.push.deleteMany({ where: { id } });
}

/** A page's content in hook payloads; null if it is too large to hold in memory. */
export const hookContent = (
  address: RepositoryAddress,
  id: string,
  { git }: Pick<Context, 'git'>,
): Promise<string> =>
  textOfPage(address, id, { git }).catch((error: unknown) => {
    if (error instanceof DomainError) return '';
    throw error;
  });

/** Whether the wiki contains a commit. */
async function isIn(
  wiki: RepositoryAddress,
  commit: string,
  git: Context['git'],
): Promise<boolean> {
  const tip = (await git.readRefs(wiki, [branch])).get(branch);
  if (tip === undefined || tip === commit) return tip === commit;
  if (!(await git.commitBehind(wiki, commit))) return false;
  return (await git.mergeBase(wiki, { target: tip, head: commit })) === commit;
}
