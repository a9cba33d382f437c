import type { z } from 'zod';
import type { Transaction } from '../../prisma/client.ts';
import { labelsByName } from '../../schema/labels/available.ts';
import { nameFaults } from '../../schema/labels/faults.ts';
import { countOfUsers, type ImportedNote, readNotes } from './notes.ts';
import type { ProjectImport } from './project-import.ts';
import type { issueShape, mergeRequestShape } from './shapes.ts';
import { addTo } from './target.ts';
import { titleOf } from './texts.ts';

type Issuable = z.infer<typeof issueShape> | z.infer<typeof mergeRequestShape>;

/** What distinguishes the import of issues from that of merge requests. */
export interface IssuableKind<Item extends Issuable> {
  readonly path: 'issues' | 'merge_requests';
  readonly shape: z.ZodType<Item>;
  /** `#` or `!` */
  readonly sign: string;
  /** When the records with these numbers were created. */
  readonly existing: (
    tx: Transaction,
    projectId: number,
    iids: readonly number[],
  ) => Promise<readonly { readonly iid: number; readonly createdAt: Date }[]>;
  /** Prepares a record outside the transaction; what it returns stores the record in one. */
  readonly prepare: (
    item: Item,
    shared: SharedColumns,
    project: ProjectImport,
  ) => Promise<(tx: Transaction, labelIds: readonly number[]) => Promise<unknown>>;
}

/** The columns that issues and merge requests have in common. */
export type SharedColumns = Awaited<ReturnType<typeof sharedColumns>>;

async function sharedColumns(
  item: Issuable,
  notes: readonly ImportedNote[],
  project: ProjectImport,
) {
  const { texts, people, target, milestones } = project;
  const { authorId, text } = await texts.credit(
    texts.withLinks(item.description ?? ''),
    item.author,
  );
  const isClosed = item.state === 'closed';
  return {
    projectId: target.id,
    iid: item.iid,
    authorId,
    milestoneId: await milestones.find(item.milestone),
    isDiscussionLocked: item.discussion_locked ?? null,
    userNotesCount: countOfUsers(notes),
    timeEstimate: item.time_stats?.time_estimate ?? 0,
    totalTimeSpent: item.time_stats?.total_time_spent ?? 0,
    closedAt: isClosed ? (item.closed_at ?? item.updated_at) : null,
    closedById: isClosed ? await people.find(item.closed_by) : null,
    createdAt: item.created_at,
    updatedAt: item.updated_at,
    text: {
      create: { title: titleOf(item.title), description: text === '' ? null : text },
    },
    notes: { createMany: { data: [...notes] } },
  };
}

/** How many records are read from the source at once. */
const readAtOnce = 8;

/**
 * Imports all issues or merge requests with their notes, oldest first. Each is stored with its notes
 * in one transaction, so a number that is there is complete.
 */
export async function importIssuables<Item extends Issuable>(
  kind: IssuableKind<Item>,
  project: ProjectImport,
): Promise<void> {
  const { source, path, report, target } = project;
  const query = { scope: 'all', state: 'all', order_by: 'created_at', sort: 'asc' };
  for await (const page of source.pages(`${path}/${kind.path}`, kind.shape, query)) {
    const missing = await missingOf(page, kind, project);
    for (let start = 0; start < missing.length; start += readAtOnce) {
      const items = missing.slice(start, start + readAtOnce);
      const prepared = await Promise.all(
        items.map((item) =>
          // one that was deleted since it was listed must not end the others
          report.part(`${target.fullPath}${kind.sign}${item.iid}`, async () => {
            const notes = await readNotes(`${path}/${kind.path}/${item.iid}`, project);
            const shared = await sharedColumns(item, notes, project);
            return { item, notes, store: await kind.prepare(item, shared, project) };
          }),
        ),
      );
      for (const record of prepared) if (record) await storeOne(kind, record, project);
    }
  }
}

/** Those that are not here yet. A number that users took meanwhile is left to them. */
async function missingOf<Item extends Issuable>(
  items: readonly Item[],
  { existing, sign }: IssuableKind<Item>,
  { db, target, report }: ProjectImport,
): Promise<readonly Item[]> {
  const iids = items.map(({ iid }) => iid);
  const rows = await existing(db, target.id, iids);
  const createdAt = new Map(rows.map((row) => [row.iid, row.createdAt.getTime()]));
  return items.filter(({ iid, created_at }) => {
    const taken = createdAt.get(iid);
    if (taken !== undefined && taken !== created_at.getTime()) {
      report.leaveOut(`${target.fullPath}${sign}${iid}: its number is taken here`);
    }
    return taken === undefined;
  });
}

interface Prepared<Item> {
  readonly item: Item;
  readonly notes: readonly ImportedNote[];
  readonly store: (tx: Transaction, labelIds: readonly number[]) => Promise<unknown>;
}

async function storeOne<Item extends Issuable>(
  { sign, path, existing }: IssuableKind<Item>,
  { item, notes, store }: Prepared<Item>,
  { target, db, report }: ProjectImport,
): Promise<void> {
  const names = item.labels.filter((name) => nameFaults(name.trim()).length === 0);
  const isAdded = await addTo(target, db, async (tx) => {
    if ((await existing(tx, target.id, [item.iid])).length > 0) return false;
    await store(tx, await labelsByName(tx, target, names, { create: true }));
    return true;
  });
  if (!isAdded) return;
  report.add(path, `${sign}${item.iid}`);
  report.add('notes', `${sign}${item.iid}`, notes.length);
}
