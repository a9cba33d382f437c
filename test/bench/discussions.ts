import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../prisma/client.ts';
import { clientOf } from '../support/client.ts';
import { load } from './load.ts';
import { untilIdle } from './memory.ts';
import { rootToken, type Service, startService } from './service.ts';
import { median } from './table.ts';

/** The bench of discussions of a merge request, which starts a service of its own. */
export const discussions = 'discussions';

const noteCount = 500;

interface Options {
  readonly runs: number;
  /** Of one measurement. */
  readonly seconds: number;
  readonly flags: readonly string[];
}

/** Pages of discussions, and beside them pages of as many notes as they have. */
const pages = [
  ['discussions, 20 of 250 threads with 40 notes', 'discussions?per_page=20'],
  ['discussions, the last 10 of 250 threads', 'discussions?per_page=20&page=13'],
  ['discussions, 20 threads by keyset', 'discussions?per_page=20&pagination=keyset'],
  ['discussions, 50 threads with 100 notes', 'discussions?per_page=50'],
  ['notes, 40 of 500', 'notes?per_page=40'],
  ['notes, 100 of 500', 'notes?per_page=100'],
] as const;

/** Prints the rates of listings of discussions, beside those of notes. */
export async function measureDiscussions({ runs, seconds, flags }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // PostgreSQL runs under its own account
  await chmod(folder, 0o755);
  const service = await startService(folder, flags);
  try {
    const path = await fill(service);
    const headers = { 'Private-Token': rootToken };
    const rates = new Map<string, number[]>();
    for (let run = 0; run <= runs; run += 1) {
      for (const [name, page] of pages) {
        await untilIdle([service.pid]);
        const request = { path: `/api/v4${path}/${page}`, headers };
        const { rate } = await load(service.url, [request], { connections: 8, seconds });
        // the first run warms up
        if (run > 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
      }
    }
    for (const [name, ofRuns] of rates)
      process.stdout.write(`${name}: ${median(ofRuns).toFixed(0)} requests/s\n`);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Creates a merge request with 250 threads of two notes, each fifth on a line; gives its path. */
async function fill({ url, databaseUrl }: Service): Promise<string> {
  const root = clientOf(url, rootToken);
  await root.post('/projects', { path: 'app' });
  const files = '/projects/root%2Fapp/repository/files';
  const file = { content: 'text', commit_message: 'Add a file' };
  await root.post(`${files}/a.txt`, { ...file, branch: 'master' });
  await root.post(`${files}/b.txt`, { ...file, branch: 'topic', start_branch: 'master' });
  const { body } = await root.post('/projects/root%2Fapp/merge_requests', {
    source_branch: 'topic',
    target_branch: 'master',
    title: 'It',
  });
  const { id, iid, author } = body as { id: number; iid: number; author: { id: number } };
  const session = await openSession(databaseUrl);
  await session.query(`
    INSERT INTO notes (
      merge_request_id, author_id, body, is_in_thread, is_reply, created_at, updated_at)
    SELECT ${id}, ${author.id}, 'A note of usual length, number ' || n, true, n % 2 = 0,
      now() + n * interval '1 ms', now() FROM generate_series(1, ${noteCount}) n;
    INSERT INTO thread_notes (note_id, first_note_id, started_by, merge_request_id)
    SELECT id, id - is_reply::int, id - is_reply::int, ${id} FROM notes;
    INSERT INTO diff_positions (
      note_id, type, base_sha, start_sha, head_sha, old_path, new_path, new_line)
    SELECT note_id, 'text', sha, sha, sha, 'src/app/main.ts', 'src/app/main.ts', 7
    FROM thread_notes, (SELECT repeat('a', 40) AS sha) shas WHERE first_note_id % 5 = 0;
    ANALYZE;`);
  await session.end();
  return `/projects/root%2Fapp/merge_requests/${iid}`;
}
