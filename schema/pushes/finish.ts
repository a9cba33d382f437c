import type { MergeParts } from '../merging/settle-merge.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import { settlePush } from '../repository/settle.ts';
import { applyPushOptions } from './apply-options.ts';
import { mergeRequestLinks } from './merge-request-links.ts';

/**
 * Settles a push of a git client and gives the lines that git shows to the pusher: what came of its
 * options, and the addresses of merge requests. `isOfUser`: not by a deploy key.
 */
export async function finishPush(
  ledger: bigint,
  caller: { readonly isOfUser: boolean },
  parts: MergeParts,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const applyOptions = async (input: JobPayloads['apply-push-options']) => {
    try {
      lines.push(...(await applyPushOptions(input, undefined, parts)));
      return true;
    } catch {
      // the job that takes over reports the failure
      lines.push('The merge requests could not be saved yet; the service will try it again.');
      return false;
    }
  };
  const settled = await settlePush(ledger, parts, { applyOptions });
  // the push is settled: it only misses these lines if their addresses cannot be read
  if (settled) lines.push(...(await mergeRequestLinks(settled, caller, parts).catch(() => [])));
  return lines.map(printable);
}

/** The text without what could control a terminal: names of branches may have some of it. */
const printable = (line: string): string => line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');
