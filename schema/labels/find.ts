import type { Database, Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { sourceColumns } from '../members/members.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import type { LabelRecord } from './standing.ts';
import type { LabelReference } from './types.ts';

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

/** A source's own labels and those of its ancestor groups, as a filter. */
export const labelsOf = (source: GroupOrProject): Prisma.LabelWhereInput => ({
  OR: [sourceColumns(source), { namespaceId: { in: [...source.ancestorIds] } }],
});

/** The columns of a label in the context of `source`. */
const labelSelection = ({ kind, id }: GroupOrProject, viewer: Viewer | null) =>
  ({
    id: true,
    name: true,
    color: true,
    description: true,
    priorities: {
      where: { projectId: kind === 'project' ? id : 0 },
      select: { priority: true },
    },
    subscriptions: { where: { userId: viewer?.id ?? 0 }, select: { userId: true } },
  }) as const;

type Row = Prisma.LabelGetPayload<{ select: ReturnType<typeof labelSelection> }>;

const labelIn = (
  { priorities, subscriptions, ...label }: Row,
  source: GroupOrProject,
): LabelRecord => ({
  ...label,
  source,
  standing: {
    priority: priorities[0]?.priority ?? null,
    isSubscribed: subscriptions.length > 0,
  },
});

const largestId = 2 ** 31 - 1;

/** Matches an id if the text is one, or a name. */
const byIdOrName = (idOrName: string): Prisma.LabelWhereInput[] => [
  { name: idOrName.trim() },
  ...(/^\d+$/.test(idOrName) && Number(idOrName) <= largestId ? [{ id: Number(idOrName) }] : []),
];

/** The id of the label `idOrName` of a source or of an ancestor group; prefers the source's own. */
export async function findLabelId(
  source: GroupOrProject,
  idOrName: string,
  { db }: { readonly db: Database },
): Promise<number> {
  const labels = await db.label.findMany({
    where: { AND: [labelsOf(source), { OR: byIdOrName(idOrName) }] },
    select: { id: true, projectId: true, namespaceId: true },
  });
  // a source's ancestors end with the nearest group
  const nearness = ({ id, projectId, namespaceId }: (typeof labels)[number]) => {
    if (String(id) === idOrName) return source.ancestorIds.length + 1;
    return projectId === null
      ? source.ancestorIds.indexOf(namespaceId ?? 0)
      : source.ancestorIds.length;
  };
  const [nearest] = labels.toSorted((a, b) => nearness(b) - nearness(a));
  if (!nearest) throw notFound('Label');
  return nearest.id;
}

/** A label in the context of a source. */
export async function showLabel(
  source: GroupOrProject,
  id: number,
  { db, viewer }: ViewerContext,
): Promise<LabelRecord> {
  const label = await db.label.findUnique({
    relationLoadStrategy: 'join',
    where: { id },
    select: labelSelection(source, viewer),
  });
  if (!label) throw notFound('Label');
  return labelIn(label, source);
}

/** A source's own label; a project cannot change its group's labels. */
export async function findOwnLabel(
  source: GroupOrProject,
  { idOrName, name }: LabelReference,
  { db }: { readonly db: Database },
) {
  const reference = idOrName ? byIdOrName(idOrName) : [{ name: (name ?? '').trim() }];
  const label = await db.label.findMany({
    where: { ...sourceColumns(source), OR: reference },
    select: { id: true, name: true, updatedAt: true },
  });
  return label.find(({ id }) => String(id) === idOrName) ?? label[0] ?? null;
}
