import type { SettleMark } from '../uploads/incoming.ts';
import type { SettledArtifacts, SizeOf } from './artifacts.ts';

/** Settles an archive whose mark is left, by the size in its record, which `sizeOf` reads. */
export const artifactsSettler =
  ({ settle }: Pick<SettledArtifacts, 'settle'>, sizeOf: SizeOf): SettleMark =>
  ({ id: projectId }, key) =>
    settle({ id: Number(key), projectId }, sizeOf);
