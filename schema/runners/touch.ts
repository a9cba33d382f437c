import type { Context } from '../kernel/context.ts';

/** What a runner says of itself; what it leaves out stays as it was. */
export interface RunnerInfo {
  readonly name?: string | null | undefined;
  readonly version?: string | null | undefined;
  readonly revision?: string | null | undefined;
  readonly platform?: string | null | undefined;
  readonly architecture?: string | null | undefined;
}

const longest = 255;

/** As the columns take it: a program's own words, cut where they go on too long. */
export const infoColumns = (info: RunnerInfo) => ({
  name: cut(info.name),
  version: cut(info.version),
  revision: cut(info.revision),
  platform: cut(info.platform),
  architecture: cut(info.architecture),
});

const cut = (text: string | null | undefined): string | null =>
  text ? text.slice(0, longest).toWellFormed() : null;

/** Milliseconds; not all of them at one moment, however many were started together. */
const least = 40_000;
const spread = 15_000;

/**
 * Notes that a runner was heard of and what it says of itself, at most every 40 to 55 seconds,
 * however often it asks. Gives when it was last noted: whoever keeps the runner keeps that with it.
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
  // of several requests at once one writes; it is no change for whoever minds the last one
  await db.$executeRaw`
    UPDATE runners SET contacted_at = ${now},
      name = coalesce(${name}, name), version = coalesce(${version}, version),
      revision = coalesce(${revision}, revision), platform = coalesce(${platform}, platform),
      architecture = coalesce(${architecture}, architecture)
    WHERE id = ${id} AND (contacted_at IS NULL OR contacted_at <= ${oldest})`;
  return now;
}
