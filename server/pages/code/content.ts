import { isUtf8 } from 'node:buffer';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

/** Bytes; a larger file can only be downloaded. */
export const largestShown = 1024 * 1024;

/** A blob that the user may read. */
interface BlobPlace {
  readonly sha: string;
  readonly size: number;
}

/** The text of a blob of up to `largestShown` bytes; null if it is binary. */
export async function textOf(
  visit: Visit,
  project: Pick<Project, 'id'>,
  { sha, size }: BlobPlace,
): Promise<string | null> {
  const content = await visit.openBlob({ projectId: project.id, sha, size });
  const bytes = Buffer.isBuffer(content)
    ? content
    : Buffer.concat((await content.toArray()) as Buffer[]);
  // git's own rule
  if (bytes.includes(0)) return null;
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

export const isMarkdown = (name: string): boolean => /\.(?:md|markdown|mkd)$/i.test(name);
