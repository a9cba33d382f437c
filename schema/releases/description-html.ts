import { batched } from '../kernel/batched.ts';
import { type Context, taskCaller } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Linking } from '../markdown/linking.ts';
import { longestRendered, markdownTask } from '../markdown/task.ts';
import { projectUrl } from '../repository/web-url.ts';

interface Described {
  readonly projectId: number;
  readonly description: string;
}

/**
 * The notes of a release as HTML; those of all rows are rendered together. Null beyond the limits of
 * one operation, and if no worker is free: a release is shown without its HTML rather than not at all.
 */
export const descriptionHtmlOf = batched<Described, string | null>(async (releases, ctx) => {
  let left = longestRendered;
  const fitting = releases.filter(({ description: { length } }) => {
    left -= length;
    return left >= 0;
  });
  const byProject = Map.groupBy(fitting, ({ projectId }) => projectId);
  const rendered = await Promise.all(
    [...byProject].map(async ([projectId, ofProject]) => {
      const texts = ofProject.map(({ description }) => description);
      const markups = await render(texts, await linkingOf(projectId, ctx), ctx);
      return ofProject.map((release, place) => [release, markups[place] ?? null] as const);
    }),
  );
  return new Map(rendered.flat());
}, null);

/** Relative links lead to files of the default branch, as those of other texts. */
async function linkingOf(projectId: number, ctx: Context): Promise<Linking> {
  const url = await projectUrl({ id: projectId }, ctx);
  return {
    folder: '',
    link: `${url}/blob/HEAD`,
    picture: `${url}/raw/HEAD`,
    uploads: url,
    isWiki: false,
    project: url,
    users: ctx.baseUrl,
  };
}

async function render(
  texts: readonly string[],
  linking: Linking,
  ctx: Context,
): Promise<readonly string[]> {
  try {
    return await ctx.workers.run(markdownTask, { texts, linking }, taskCaller(ctx));
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
