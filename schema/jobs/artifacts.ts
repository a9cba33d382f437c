import { builder } from '../kernel/builder.ts';

/** The artifacts archive of a job. */
export interface ArtifactsFileRecord {
  readonly artifactsFile: string;
  readonly artifactsSize: bigint | null;
  readonly artifactsExpireAt: Date | null;
}

interface KeptArtifacts extends Omit<ArtifactsFileRecord, 'artifactsFile'> {
  readonly artifactsFile: string | null;
}

/** The archive of a job; null when it has none, or it has expired. */
export const artifactsOf = ({
  artifactsFile,
  artifactsSize,
  artifactsExpireAt,
}: KeptArtifacts): ArtifactsFileRecord | null =>
  artifactsFile === null || (artifactsExpireAt && artifactsExpireAt <= new Date())
    ? null
    : { artifactsFile, artifactsSize, artifactsExpireAt };

export const ArtifactsFile = builder.objectRef<ArtifactsFileRecord>('ArtifactsFile').implement({
  description: 'The archive of the files that a job stored.',
  fields: (t) => ({
    fileName: t.exposeString('artifactsFile', {
      description: 'The file name, such as `artifacts.zip`.',
    }),
    size: t.field({
      type: 'ByteCount',
      description: 'The size in bytes.',
      resolve: ({ artifactsSize }) => artifactsSize ?? 0,
    }),
    expiresAt: t.expose('artifactsExpireAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the archive is deleted; null if it is kept as long as the job.',
    }),
  }),
});
