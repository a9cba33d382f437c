import type { MergeParts } from '../merging/settle-merge.ts';
import { settlePush } from '../repository/settle.ts';
import { mergeRequestLinks } from './merge-request-links.ts';

/**
 * Settles a push of a git client and gives the lines that git shows to the pusher: the addresses of
 * merge requests. `isOfUser`: not by a deploy key.
 */
export async function finishPush(
  ledger: bigint,
  caller: { readonly isOfUser: boolean },
  parts: MergeParts,
): Promise<readonly string[]> {
  const settled = await settlePush(ledger, parts);
  const lines = settled ? await mergeRequestLinks(settled, caller, parts) : [];
  return lines.map(printable);
}

/** The text without what could control a terminal: names of branches may have some of it. */
const printable = (line: string): string => line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');
