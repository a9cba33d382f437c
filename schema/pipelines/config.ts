import type { CiFile } from '../ci-config/ci-file.ts';
import { readCiFile } from '../ci-config/read.ts';
import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git.ts';

/** Bytes; what is longer no reader of it would take (schema/ci-config/yaml.ts). */
const largest = 2 ** 20;

const usualPath = '.gitlab-ci.yml';

export interface Configured extends RepositoryAddress {
  readonly ciConfigPath: string | null;
}

/** Where a project has its CI file. */
export const ciPathOf = ({ ciConfigPath }: Pick<Configured, 'ciConfigPath'>): string =>
  ciConfigPath?.replace(/^\/+/, '') || usualPath;

/** What a commit's CI file asks for, or what is wrong with it; null when it has none. */
export async function ciFileAt(
  project: Configured,
  sha: string,
  { git }: Pick<Context, 'git'>,
): Promise<{ readonly file: CiFile } | { readonly problem: string } | null> {
  const entry = await git.entryAt(project, sha, ciPathOf(project));
  if (entry?.type !== 'blob') return null;
  const content = await git.readBlob(project, entry.id, largest);
  if (!content) return { problem: `The file is too long (maximum is ${largest} bytes)` };
  return readCiFile(content.toString('utf8'));
}
