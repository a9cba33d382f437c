import { Group } from '../groups/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';

interface Sizes {
  readonly repositorySize: bigint;
  readonly lfsObjectsSize: bigint;
  readonly jobArtifactsSize: bigint;
}

const nothing: Sizes = { repositorySize: 0n, lfsObjectsSize: 0n, jobArtifactsSize: 0n };

const GroupStatistics = builder.objectRef<Sizes>('GroupStatistics').implement({
  description: 'The sizes of the projects of a group, without those of its subgroups.',
  fields: (t) => ({
    repositorySize: t.expose('repositorySize', {
      type: 'ByteCount',
      description: 'The size of the repositories in bytes.',
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

const sizesOf = batched<number, Sizes>(async (ids, { db }) => {
  const rows = await db.$queryRaw<(Sizes & { id: number })[]>`
    SELECT namespace_id AS id, sum(repository_size)::bigint AS "repositorySize",
      sum(lfs_objects_size)::bigint AS "lfsObjectsSize",
      sum(job_artifacts_size)::bigint AS "jobArtifactsSize"
    FROM projects JOIN project_statistics ON project_statistics.project_id = projects.id
    WHERE namespace_id = ANY(${[...ids]}::int[]) AND NOT is_removed
    GROUP BY namespace_id`;
  return new Map(rows.map(({ id, ...sizes }) => [id, sizes]));
}, nothing);

builder.prismaObjectField(Group, 'statistics', (t) =>
  t.field({
    description: 'The sizes of the projects of the group. Null except for administrators.',
    type: GroupStatistics,
    nullable: true,
    select: { id: true },
    resolve: ({ id }, _args, ctx) => (ctx.viewer?.isAdmin ? sizesOf(id, ctx) : null),
  }),
);
