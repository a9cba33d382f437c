import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';

/** What a runner reports about itself; omitted fields stay unchanged. */
export const RunnerInfoInput = builder.inputType('RunnerInfo', {
  description: 'What a runner says of itself.',
  fields: (t) => ({
    name: t.string({ description: 'The name of the program.' }),
    version: t.string({ description: 'The version of the program.' }),
    revision: t.string({ description: 'The revision of the program.' }),
    platform: t.string({ description: 'The operating system.' }),
    architecture: t.string({ description: 'The architecture of the processor.' }),
  }),
});

export type RunnerInfo = typeof RunnerInfoInput.$inferInput;

const maxLength = 255;

/** Truncates the reported texts to the columns' limits. */
export const infoColumns = (info: RunnerInfo) => ({
  name: cut(info.name),
  version: cut(info.version),
  revision: cut(info.revision),
  platform: cut(info.platform),
  architecture: cut(info.architecture),
});

const cut = (text: string | null | undefined): string | null =>
  text ? text.slice(0, maxLength).toWellFormed() : null;

/** Milliseconds; randomized, so that runners started together do not write at the same time. */
const least = 40_000;
const spread = 15_000;

/**
 * Records a runner's contact and what it reports about itself, at most every 40 to 55 seconds.
 * Returns when it was last recorded, for the runner cache.
 */
export async function touchRunner(
  { id, contactedAt }: { readonly id: number; readonly contactedAt: Date | null },
  info: RunnerInfo,
  db: Context['db'],
): Promise<Date | null> {
  const now = new Date();
  const oldest = new Date(now.getTime() - least - Math.random() * spread);
  if (contactedAt && contactedAt > oldest) return contactedAt;
  const { name, version, revision, platform, architecture } = infoColumns(info);
  // of concurrent requests one writes; the last one's values count
  await db.$executeRaw`
    UPDATE runners SET contacted_at = ${now},
      name = coalesce(${name}, name), version = coalesce(${version}, version),
      revision = coalesce(${revision}, revision), platform = coalesce(${platform}, platform),
      architecture = coalesce(${architecture}, architecture)
    WHERE id = ${id} AND (contacted_at IS NULL OR contacted_at <= ${oldest})`;
  return now;
}
