import type { SettleMark } from '../uploads/incoming.ts';
import type { SettledArtifacts, SizeOf } from './artifacts.ts';

/** Puts right the archive that a mark was left of, by the size that its record, which `sizeOf` reads, says. */
export const artifactsSettler =
  ({ settle }: Pick<SettledArtifacts, 'settle'>, sizeOf: SizeOf): SettleMark =>
  ({ id: projectId }, key) =>
    settle({ id: Number(key), projectId }, sizeOf);
