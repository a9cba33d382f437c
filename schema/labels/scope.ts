import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { ifVisible } from '../kernel/results.ts';
import { projectById } from '../projects/find.ts';
import type { LabelRecord, LabelSource } from './standing.ts';

/** The argument of the fields of a label that differ between the projects that have it. */
export const scopeArgs = builder.args((t) => ({
  projectId: t.int({
    description: 'A project; null for the project or group that the label belongs to.',
  }),
}));

interface ScopeArgs {
  readonly projectId?: number | null | undefined;
}

/** The project or group that a label belongs to; one statement for all labels of an operation. */
export const homeOf = batched<number, LabelSource | null, Pick<Context, 'db'>>(
  async (ids, { db }) => {
    const labels = await db.label.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, projectId: true, namespaceId: true },
    });
    return new Map(
      labels.map(({ id, projectId, namespaceId }) => [
        id,
        projectId === null
          ? ({ kind: 'group', id: namespaceId ?? 0 } as const)
          : ({ kind: 'project', id: projectId } as const),
      ]),
    );
  },
  null,
);

/**
 * The label as it is in the given project, or in the project or group that it belongs to; null if
 * the viewer may not see the project, or if the label was deleted.
 */
export async function labelWithin(
  { id, name, color, description }: LabelRecord,
  { projectId }: ScopeArgs,
  ctx: Context,
): Promise<LabelRecord | null> {
  const label = { id, name, color, description };
  if (projectId === null || projectId === undefined) {
    const home = await homeOf(id, ctx);
    return home && { ...label, source: home };
  }
  const project = await ifVisible(() => projectById(projectId, ctx));
  return project && { ...label, source: { kind: 'project', id: project.id } };
}
