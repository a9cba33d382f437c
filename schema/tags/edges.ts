import type { Release as ReleaseRow } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { projectById } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import { tagRef } from './find.ts';
import { type ShownTag, showTags } from './show.ts';
import { Release, Tag } from './types.ts';

/** The tags of releases; the references of a project are read together. */
const tagOf = batched<ReleaseRow, ShownTag | null>(async (releases, ctx: Context) => {
  const tags = new Map<ReleaseRow, ShownTag | null>();
  await Promise.all(
    [...Map.groupBy(releases, ({ projectId }) => projectId)].map(async ([id, ofProject]) => {
      const repository = await projectById(id, ctx, canDownloadCode);
      const names = ofProject.map(({ tagName }) => tagName);
      const refs = await ctx.git.readRefs(repository, names.map(tagRef));
      const present = names.flatMap((name) => {
        const objectId = refs.get(tagRef(name));
        return objectId === undefined ? [] : { name, id: objectId };
      });
      const shown = await showTags(repository, present, ctx);
      const byName = new Map(shown.map((tag) => [tag.name, tag]));
      for (const release of ofProject) tags.set(release, byName.get(release.tagName) ?? null);
    }),
  );
  return tags;
}, null);

builder.prismaObjectField(Release, 'tag', (t) =>
  t.field({
    type: Tag,
    description: 'The tag of the release. Null if it was deleted at this moment.',
    nullable: true,
    complexity: statementCost,
    resolve: (release, _args, ctx) => tagOf(release, ctx),
  }),
);
