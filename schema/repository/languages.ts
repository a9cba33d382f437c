import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { writeInPassing } from '../kernel/outage.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { isRecordMissing } from '../kernel/storage-errors.ts';
import { commitOf } from './commit-of.ts';
import { type ReadableRepository, Repository } from './types.ts';

interface LanguageShare {
  readonly name: string;
  /** Per cent. */
  readonly share: number;
}

const RepositoryLanguage = builder.objectRef<LanguageShare>('RepositoryLanguage').implement({
  description: 'A language of the code of a repository.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, such as `TypeScript`.' }),
    share: t.exposeFloat('share', { description: 'Its share of the bytes, in percent.' }),
  }),
});

builder.objectField(Repository, 'languages', (t) =>
  t.field({
    type: [RepositoryLanguage],
    extensions: publiclyNullable,
    complexity: walkCost,
    description:
      'The languages of the default branch by the names of its files, the largest first. Data, prose, documentation and files of other authors are not counted. Empty for an empty repository.',
    resolve: async (repository, _args, ctx) => sharesOf(await countLanguages(repository, ctx)),
  }),
);

type Bytes = Readonly<Record<string, number>>;

/** Bytes by language. They are kept until the default branch moves. */
async function countLanguages(
  repository: ReadableRepository,
  { db, git, request }: Pick<Context, 'db' | 'git' | 'request'>,
): Promise<Bytes> {
  const sha = await commitOf(repository, null, git);
  if (sha === null) return {};
  const where = { projectId: repository.id };
  const counted = await db.projectLanguages.findUnique({ where });
  if (counted?.sha === sha) return Object(counted.bytes) as Bytes;
  const bytes = Object.fromEntries(await git.languages(repository, sha, request.signal));
  // one statement: concurrent requests write the same
  await writeInPassing(
    () => db.$executeRaw`
      INSERT INTO project_languages (project_id, sha, bytes)
      VALUES (${repository.id}, ${sha}, ${JSON.stringify(bytes)}::jsonb)
      ON CONFLICT (project_id) DO UPDATE SET sha = excluded.sha, bytes = excluded.bytes`,
  ).catch((error: unknown) => {
    // the project was deleted meanwhile
    if (!isRecordMissing(error)) throw error;
  });
  return bytes;
}

function sharesOf(bytes: Bytes): LanguageShare[] {
  const counted = Object.entries(bytes).filter(([, size]) => size > 0);
  const entries = counted.toSorted(
    ([name, size], [otherName, other]) => other - size || (name < otherName ? -1 : 1),
  );
  const total = entries.reduce((sum, [, size]) => sum + size, 0);
  return entries.map(([name, size]) => ({
    name,
    share: Math.round((size / total) * 10_000) / 100,
  }));
}
