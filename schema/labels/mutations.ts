import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { onRecordMissing } from '../kernel/storage-errors.ts';
import {
  findGroupOrProject,
  findReadableSource,
  sourceArgs,
} from '../projects/group-or-project.ts';
import { createLabel, deleteLabel, updateLabel } from './change.ts';
import { findLabelId, showLabel } from './find.ts';
import { canAdminLabels } from './policy.ts';
import { LabelReferenceInput, SourceLabel, type SourceLabelRecord } from './types.ts';

const own = builder.args((t) => ({
  label: t.field({ type: LabelReferenceInput, required: true }),
}));

const details = builder.args((t) => ({
  /** Null clears it. */
  description: t.string(),
  /** 0 is the highest; null clears it. Of projects only. */
  priority: t.int(),
}));

const clearable = ['description', 'priority'] as const;

builder.mutationFields((t) => ({
  createLabel: t.field({
    type: SourceLabel,
    args: {
      ...sourceArgs,
      ...details,
      name: t.arg.string({ required: true }),
      /** `#rgb` or `#rrggbb`. */
      color: t.arg.string({ required: true }),
    },
    resolve: async (_root, { source: ref, name, color, ...details }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminLabels);
      const id = await createLabel(source, { name, color, ...given(details, clearable) }, ctx);
      return showLabel(source, id, ctx);
    },
  }),
  updateLabel: t.field({
    type: SourceLabel,
    description: 'Changes what is given of a label of the group or project itself.',
    args: {
      ...sourceArgs,
      ...own,
      ...details,
      /** The new name. */
      name: t.arg.string(),
      color: t.arg.string(),
    },
    resolve: async (_root, { source: ref, label, ...change }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminLabels);
      const id = await updateLabel(source, label, given(change, clearable), ctx);
      return showLabel(source, id, ctx);
    },
  }),
  deleteLabel: t.boolean({
    args: { ...sourceArgs, ...own },
    resolve: async (_root, { source: ref, label }, ctx) =>
      done(deleteLabel(await findGroupOrProject(ref, ctx, canAdminLabels), label, ctx)),
  }),
}));

interface LabelSubscriptionChange {
  /** False if it was in this state already. */
  readonly hasChanged: boolean;
  readonly label: SourceLabelRecord;
}

const LabelSubscription = builder
  .objectRef<LabelSubscriptionChange>('LabelSubscription')
  .implement({
    fields: (t) => ({
      hasChanged: t.exposeBoolean('hasChanged'),
      label: t.expose('label', { type: SourceLabel }),
    }),
  });

/** Users who see a label can subscribe to it. */
for (const [field, isSubscribing] of [
  ['subscribeToLabel', true],
  ['unsubscribeFromLabel', false],
] as const) {
  builder.mutationField(field, (t) =>
    t.field({
      type: LabelSubscription,
      args: {
        ...sourceArgs,
        /** An id or a name. */
        label: t.arg.id({ required: true }),
      },
      resolve: async (_root, { source: ref, label }, ctx) => {
        const { source, viewer } = await findReadableSource(ref, ctx);
        const labelId = await findLabelId(source, label, ctx);
        const row = { labelId, userId: viewer.id };
        const { labelSubscription } = ctx.db;
        const change = isSubscribing
          ? labelSubscription.createMany({ data: row, skipDuplicates: true })
          : labelSubscription.deleteMany({ where: row });
        const { count } = await change.catch(onRecordMissing(() => notFound('Label')));
        return { hasChanged: count > 0, label: await showLabel(source, labelId, ctx) };
      },
    }),
  );
}
