import { builder } from '../kernel/builder.ts';

builder.prismaObject('ProjectStatistics', {
  description: 'The size of the repository and the stored files of a project.',
  fields: (t) => ({
    commitCount: t.int({
      description: 'The number of commits on the default branch.',
      resolve: ({ commitCount }) => Number(commitCount),
    }),
    repositorySize: t.expose('repositorySize', {
      type: 'ByteCount',
      description: 'The size of the repository in bytes.',
    }),
    lfsObjectsSize: t.expose('lfsObjectsSize', {
      type: 'ByteCount',
      description: 'The size of the Git LFS objects in bytes.',
    }),
    jobArtifactsSize: t.expose('jobArtifactsSize', {
      type: 'ByteCount',
      description: 'The size of the artifacts of jobs in bytes.',
    }),
    storageSize: t.field({
      description: 'The sum of the sizes in bytes.',
      type: 'ByteCount',
      resolve: (sizes) => sizes.repositorySize + sizes.lfsObjectsSize + sizes.jobArtifactsSize,
    }),
  }),
});
