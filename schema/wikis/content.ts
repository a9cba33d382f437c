import type { LimitFunction } from 'p-limit';
import type { Context } from '../kernel/context.ts';
import { rejected } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { sizeOfTreeBlob } from '../repository/tree-blob.ts';
import type { Wiki } from './find.ts';
import type { StoredPage } from './pages.ts';

/** Bytes; a longer page is read by git alone, or by REST as it streams by. */
const largestContent = 16 * 1024 * 1024;

/** How much of a listing's contents may be held in memory, and how many are read at once. */
export interface Allowance {
  left: number;
  readonly turn: LimitFunction;
}

/** A page on its way to be shown; flat, so that a listing of thousands reads plain properties. */
export interface ShownPage extends StoredPage {
  readonly wiki: Wiki;
  /** When it is at hand. */
  readonly content: string | null;
  readonly allowance: Allowance | null;
}

/** The text of a page; refuses what is too large to be held in memory. */
export function contentOf(shown: ShownPage, ctx: Pick<Context, 'git'>): Promise<string> {
  const { content, allowance } = shown;
  if (content !== null) return Promise.resolve(content);
  return allowance ? allowance.turn(() => read(shown, ctx)) : read(shown, ctx);
}

/** The same of a blob at hand. */
export async function textOfPage(
  address: RepositoryAddress,
  id: string,
  { git }: Pick<Context, 'git'>,
): Promise<string> {
  const bytes = await git.readBlob(address, id, largestContent);
  if (bytes) return bytes.toString();
  // a page that is missing is no page too large
  await sizeOfTreeBlob(address, id, { git });
  throw rejected('The page is too large to be shown');
}

async function read(
  { id, wiki: { address }, allowance }: ShownPage,
  { git }: Pick<Context, 'git'>,
): Promise<string> {
  if (allowance) {
    const size = await sizeOfTreeBlob(address, id, { git });
    allowance.left -= size;
    if (allowance.left < 0) throw rejected('The pages are too large to be shown at once');
  }
  return textOfPage(address, id, { git });
}
