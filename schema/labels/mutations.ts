import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { endingWith, internal } from '../kernel/public.ts';
import { onRecordMissing } from '../kernel/storage-errors.ts';
import {
  findGroupOrProject,
  findReadableSource,
  sourceArgs,
} from '../projects/group-or-project.ts';
import { createLabel, deleteLabel, updateLabel } from './change.ts';
import { findLabelId, showLabel } from './find.ts';
import { byLabel, byLabelId } from './node.ts';
import { canAdminLabels } from './policy.ts';
import type { LabelRecord } from './standing.ts';
import { Label, LabelReferenceInput } from './types.ts';

const own = builder.args((t) => ({
  label: t.field({
    type: LabelReferenceInput,
    required: true,
    description: 'The label of the group or project itself.',
  }),
}));

const color = 'The color, as `#rgb`, `#rrggbb` or a name of CSS.';

const details = builder.args((t) => ({
  description: t.string({
    description: 'The description.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  priority: t.int({
    description:
      'The priority within the project, 0 is the highest; null for none. Not for labels of groups.',
  }),
}));

const clearable = ['description', 'priority'] as const;

builder.mutationFields((t) => ({
  createLabel: t.field({
    type: Label,
    description: 'Creates a label. Requires the access level REPORTER or higher.',
    args: {
      ...sourceArgs,
      ...details,
      name: t.arg.string({ required: true, description: 'The name.' }),
      color: t.arg.string({ required: true, description: color }),
    },
    resolve: async (_root, { source: ref, name, color, ...details }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminLabels);
      const id = await createLabel(source, { name, color, ...given(details, clearable) }, ctx);
      return showLabel(source, id, ctx);
    },
  }),
  updateLabel: t.field({
    extensions: byLabel,
    type: Label,
    description:
      'Changes a label of the group or project itself; absent fields stay as they are. Requires the access level REPORTER or higher.',
    args: {
      ...sourceArgs,
      ...own,
      ...details,
      name: t.arg.string({ description: 'The new name.' }),
      color: t.arg.string({ description: color }),
    },
    resolve: async (_root, { source: ref, label, ...change }, ctx) => {
      const source = await findGroupOrProject(ref, ctx, canAdminLabels);
      const id = await updateLabel(source, label, given(change, clearable), ctx);
      return showLabel(source, id, ctx);
    },
  }),
  deleteLabel: t.id({
    extensions: { ...byLabel, identifies: 'Label' },
    description:
      'Deletes a label of the group or project itself, and removes it from all issues and merge requests. Requires the access level REPORTER or higher.',
    args: { ...sourceArgs, ...own },
    resolve: async (_root, { source: ref, label }, ctx) =>
      deleteLabel(await findGroupOrProject(ref, ctx, canAdminLabels), label, ctx),
  }),
}));

interface LabelSubscriptionChange {
  /** False if it was in this state already. */
  readonly hasChanged: boolean;
  readonly label: LabelRecord;
}

const LabelSubscription = builder
  .objectRef<LabelSubscriptionChange>('LabelSubscription')
  .implement({
    extensions: { isPayload: true },
    fields: (t) => ({
      hasChanged: t.exposeBoolean('hasChanged', { extensions: internal }),
      label: t.expose('label', { type: Label, description: 'The label.' }),
    }),
  });

/** Users who see a label can subscribe to it. */
for (const [field, isSubscribing, description] of [
  ['subscribeToLabel', true, 'Subscribes the current user, who must see it, to a label.'],
  ['unsubscribeFromLabel', false, 'Ends the subscription of the current user to a label.'],
] as const) {
  builder.mutationField(field, (t) =>
    t.field({
      type: LabelSubscription,
      extensions: byLabelId,
      description,
      args: {
        ...sourceArgs,
        label: t.arg.id({ required: true, description: 'The id or name of the label.' }),
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
