import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rootToken } from '../bench/service.ts';
import { git } from '../support/git.ts';
import type { Write } from './clients.ts';

interface Stored {
  readonly titles: Map<string, number>;
  readonly notes: Map<string, number>;
  readonly files: ReadonlySet<string>;
  readonly commits: ReadonlySet<string>;
}

/** Compares writes with what the service has: the acknowledged ones that are missing, and those that are there twice. */
export async function verifyWrites(
  writes: readonly Write[],
  { url, projects, folder }: { url: string; projects: readonly number[]; folder: string },
) {
  const stored = new Map<number, Stored>();
  for (const [index, id] of projects.entries()) {
    stored.set(id, await readProject(url, id, `app-${index}`, folder));
  }
  const timesOf = ({ kind, project, mark }: Write): number => {
    const { titles, notes, files, commits } = stored.get(project) as Stored;
    if (kind === 'issue') return titles.get(mark) ?? 0;
    if (kind === 'note') return notes.get(mark) ?? 0;
    return (kind === 'file' ? files : commits).has(mark) ? 1 : 0;
  };
  return {
    missing: writes.filter((write) => write.isAcknowledged && timesOf(write) === 0),
    repeated: writes.filter((write) => timesOf(write) > 1),
  };
}

async function readProject(url: string, id: number, path: string, folder: string): Promise<Stored> {
  const at = `${url}/api/v4/projects/${id}`;
  const titles = await countAll(`${at}/issues`, 'title');
  const notes = await countAll(`${at}/issues/1/notes`, 'body');
  const target = await mkdtemp(join(folder, 'verify-'));
  const remote = `${url.replace('://', `://root:${rootToken}@`)}/root/${path}.git`;
  await git(folder, 'clone', '-q', '--bare', remote, target);
  const commits = new Set((await git(target, 'rev-list', '--all')).split('\n'));
  const branches = await git(target, 'branch', '--list', 'files');
  const listed = branches ? await git(target, 'ls-tree', '-r', '--name-only', 'files') : '';
  await rm(target, { recursive: true });
  return { titles, notes, commits, files: new Set(listed.split('\n')) };
}

/** How often each value of a field occurs in a listing. */
async function countAll(listing: string, field: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let page: string | null = '1'; page; ) {
    const response: Response = await fetch(`${listing}?per_page=100&page=${page}`, {
      headers: { 'Private-Token': rootToken },
    });
    if (!response.ok) throw new Error(`${listing}: ${response.status}`);
    const rows = (await response.json()) as readonly Record<string, string>[];
    for (const row of rows) {
      const value = row[field] ?? '';
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    page = response.headers.get('X-Next-Page');
  }
  return counts;
}
