import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isRecordMissing } from '../kernel/storage-errors.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { createLabel, deleteLabel, type LabelChange, updateLabel } from './change.ts';
import { findLabelId, findLabelSource, findManagedLabelSource, showLabel } from './find.ts';
import { SourceLabel, type SourceLabelRecord } from './types.ts';

const LabelReferenceInput = builder.inputType('LabelReference', {
  isOneOf: true,
  fields: (t) => ({ idOrName: t.id(), name: t.string() }),
});

const source = builder.args((t) => ({
  source: t.field({ type: GroupOrProjectInput, required: true }),
}));

const own = builder.args((t) => ({
  label: t.field({ type: LabelReferenceInput, required: true }),
}));

const details = builder.args((t) => ({
  /** Null clears it. */
  description: t.string(),
  /** 0 is the highest; null clears it. Of projects only. */
  priority: t.int(),
}));

interface Subscribed {
  /** False if it was in this state already. */
  readonly hasChanged: boolean;
  readonly label: SourceLabelRecord;
}

const LabelSubscription = builder.objectRef<Subscribed>('LabelSubscription').implement({
  fields: (t) => ({
    hasChanged: t.exposeBoolean('hasChanged'),
    label: t.expose('label', { type: SourceLabel }),
  }),
});

const any = builder.args((t) => ({
  /** An id or a name. */
  label: t.id({ required: true }),
}));

builder.mutationFields((t) => ({
  createLabel: t.field({
    type: SourceLabel,
    args: {
      ...source,
      ...details,
      name: t.arg.string({ required: true }),
      /** `#rgb` or `#rrggbb`. */
      color: t.arg.string({ required: true }),
    },
    resolve: async (_root, { source: sourceRef, name, color, ...details }, ctx) => {
      const source = await findManagedLabelSource(sourceRef, ctx);
      const id = await createLabel(source, { name, color, ...clearableFields(details) }, ctx);
      return showLabel(source, id, ctx);
    },
  }),
  updateLabel: t.field({
    type: SourceLabel,
    description: 'Changes what is given of a label of the group or project itself.',
    args: {
      ...source,
      ...own,
      ...details,
      /** The new name. */
      name: t.arg.string(),
      color: t.arg.string(),
    },
    resolve: async (_root, { source: sourceRef, label, name, color, ...details }, ctx) => {
      const source = await findManagedLabelSource(sourceRef, ctx);
      const change = {
        ...(typeof name === 'string' && { name }),
        ...(typeof color === 'string' && { color }),
        ...clearableFields(details),
      };
      return showLabel(source, await updateLabel(source, label, change, ctx), ctx);
    },
  }),
  deleteLabel: t.boolean({
    args: { ...source, ...own },
    resolve: async (_root, { source: sourceRef, label }, ctx) => {
      await deleteLabel(await findManagedLabelSource(sourceRef, ctx), label, ctx);
      return true;
    },
  }),
  subscribeToLabel: t.field({
    type: LabelSubscription,
    args: { ...source, ...any },
    resolve: (_root, { source: sourceRef, label }, ctx) =>
      changeSubscription(sourceRef, label, ctx, (labelId, userId) =>
        ctx.db.labelSubscription.createMany({ data: [{ labelId, userId }], skipDuplicates: true }),
      ),
  }),
  unsubscribeFromLabel: t.field({
    type: LabelSubscription,
    args: { ...source, ...any },
    resolve: (_root, { source: sourceRef, label }, ctx) =>
      changeSubscription(sourceRef, label, ctx, (labelId, userId) =>
        ctx.db.labelSubscription.deleteMany({ where: { labelId, userId } }),
      ),
  }),
}));

/** Users who see a label can subscribe to it. */
async function changeSubscription(
  sourceRef: typeof GroupOrProjectInput.$inferInput,
  label: string,
  ctx: Context,
  change: (labelId: number, userId: number) => Promise<{ readonly count: number }>,
): Promise<Subscribed> {
  const { source, viewer } = await findLabelSource(sourceRef, ctx);
  const id = await findLabelId(source, label, ctx);
  try {
    const { count } = await change(id, viewer.id);
    return { hasChanged: count > 0, label: await showLabel(source, id, ctx) };
  } catch (error) {
    if (isRecordMissing(error)) throw notFound('Label');
    throw error;
  }
}

type Details = {
  readonly [Key in 'description' | 'priority']?: LabelChange[Key] | undefined;
};

/** Null clears a field; an omitted field stays unchanged. */
const clearableFields = ({ description, priority }: Details): Pick<LabelChange, keyof Details> => ({
  ...(description !== undefined && { description }),
  ...(priority !== undefined && { priority }),
});
