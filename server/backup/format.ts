import { z } from 'zod';
import { compareKeys } from '../objects/object-store.ts';
import { hostKeyNames } from '../ssh/host-keys.ts';

/** What an archive contains, in the order in which it is written. */
export const sections = [
  'database',
  'secrets',
  'repositories',
  'uploads',
  'artifacts',
  'traces',
  'lfs',
] as const;

type Section = (typeof sections)[number];

/** The sections that are copies of a folder of the data folder. */
export const fileSections = ['uploads', 'artifacts', 'traces', 'lfs'] as const;

/** What a backup with secrets has of the data folder: tokens need the first, clients of SSH trust the others. */
export const secretFiles = ['secret.key', ...hostKeyNames] as const;

export type FileSection = (typeof fileSections)[number];

/** Contents of these sections are text that compresses well; each part is one gzip member. */
export const isCompressed = (path: string): boolean => path.endsWith('.gz');

/** Bytes of a part before its compression: the memory that reading and writing need. */
export const partSize = 8 * 2 ** 20;

/** Bytes of an entry of an archive: a part that does not compress, or lines of the index. */
export const maxEntrySize = 4 * partSize;

export const descriptionName = 'backup.json';
export const manifestName = 'manifest.json';
export const indexName = (number: number): string =>
  `index/${String(number).padStart(6, '0')}.jsonl`;

/** The entry with a part of an item: parts of one item follow each other. */
export const partName = (path: string, index: number): string =>
  index === 0 ? path : `${path}.${index + 1}`;

const identifier = z.string().min(1).max(200);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const table = z.object({
  schema: identifier,
  name: identifier,
  columns: z.array(identifier).min(1),
});

/** A table of the database, with the columns in the order of the copied rows. */
export type Table = z.output<typeof table>;

/** The first entry of an archive: what a restore must know before it reads the rest. */
export const description = z.object({
  format: z.literal(1, {
    error: 'the format of this backup is unknown: it was made by a newer Millrace',
  }),
  id: z.uuid(),
  /** The moment of the snapshot of the database. */
  takenAt: z.iso.datetime(),
  version: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(table),
  /** The last value of each sequence that has been used; a bigint as text. */
  sequences: z.array(z.object({ name: identifier, value: z.string().regex(/^-?\d{1,19}$/) })),
  /** Sections left out on request. */
  skipped: z.array(z.enum(fileSections)),
  hasSecrets: z.boolean(),
  /** The backup whose items this one leaves out if they are unchanged. */
  base: z.object({ id: z.uuid(), file: z.string().min(1).max(255) }).nullable(),
});

export type Description = z.output<typeof description>;

/** A table, a repository or a file; a line of the index. */
export const item = z.object({
  /** `<section>/…`; without `..` and empty parts. */
  path: z.string().max(4_096).refine(isSafe, { error: 'a path of an item is malformed' }),
  /** Equal states mean equal contents: of a file its size and time, of a repository its references. */
  state: z.string().max(200),
  /** The id of the backup that has its parts. */
  in: z.uuid(),
  parts: z.array(z.object({ size: z.int().min(0).max(maxEntrySize), sha256 })),
  /** Of a repository: the reference that HEAD names. */
  head: z.string().max(4_096).optional(),
  /** Of a repository: deleted by users after the snapshot. */
  isDeleted: z.boolean().optional(),
  /** Why the content is missing. */
  fault: z.string().optional(),
});

export type Item = z.output<typeof item>;

/** The last entry of an archive, which proves that it is complete. */
export const manifest = z.object({
  id: z.uuid(),
  /** Of the index, in the order of its lines. */
  indexSha256: sha256,
  /** Of the description; absent in backups of version 0.2.0 and earlier. */
  descriptionSha256: sha256.optional(),
  items: z.partialRecord(z.enum(sections), z.int()),
  /** Of all parts in this archive. */
  bytes: z.int(),
});

export type Manifest = z.output<typeof manifest>;

function isSafe(path: string): boolean {
  const [section = '', ...names] = path.split('/');
  return (
    (sections as readonly string[]).includes(section) &&
    names.length > 0 &&
    names.every((name) => name !== '' && name !== '.' && name !== '..') &&
    !/[\0\\]/.test(path)
  );
}

export const sectionOf = (path: string): Section => path.slice(0, path.indexOf('/')) as Section;

/** The order of items in an archive and in its index: by section, then by the names of folders. */
export function comparePaths(a: string, b: string): number {
  const [sectionA, sectionB] = [sections.indexOf(sectionOf(a)), sections.indexOf(sectionOf(b))];
  return sectionA === sectionB ? compareKeys(a, b) : sectionA - sectionB;
}
