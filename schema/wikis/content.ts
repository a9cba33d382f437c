import type { LimitFunction } from 'p-limit';
import type { Context } from '../kernel/context.ts';
import { rejected } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { sizeOfTreeBlob } from '../repository/tree-blob.ts';
import type { Wiki } from './find.ts';
import type { StoredPage } from './pages.ts';

/** In bytes; a longer page is read by git only, or streamed over REST. */
const largestContent = 16 * 1024 * 1024;

/**
 * How many bytes of contents a listing may hold in memory, and how many contents are read at once.
 */
export interface Allowance {
  left: number;
  readonly turn: LimitFunction;
}

/** A page with its content; flat, so that a listing of thousands reads plain properties. */
export interface ShownPage extends StoredPage {
  readonly wiki: Wiki;
  /** Null until it is read. */
  readonly content: string | null;
  readonly allowance: Allowance | null;
}

/** The text of a page; throws if it is too large to hold in memory. */
export function contentOf(shown: ShownPage, ctx: Pick<Context, 'git'>): Promise<string> {
  const { content, allowance } = shown;
  if (content !== null) return Promise.resolve(content);
  return allowance ? allowance.turn(() => read(shown, ctx)) : read(shown, ctx);
}

/** The same for a blob that was read already. */
export async function textOfPage(
  address: RepositoryAddress,
  id: string,
  { git }: Pick<Context, 'git'>,
): Promise<string> {
  const bytes = await git.readBlob(address, id, largestContent);
  if (bytes) return bytes.toString();
  // distinguish a missing page from one that is too large
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
