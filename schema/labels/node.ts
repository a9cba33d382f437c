import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { readableSourceOf, sourceOfRecord, sourceRef } from '../projects/group-or-project.ts';
import { showLabel } from './find.ts';

const LabelNode = defineRecord('Label', {
  model: 'label',
  select: (ctx) => ({ id: true, ...sourceOfRecord(ctx) }) as const,
  check: (record, ctx) => readableSourceOf(record, ctx),
  load: async (_query, label, ctx) => showLabel(await readableSourceOf(label, ctx), label.id, ctx),
});

/** For fields of a label of a group or project itself. */
export const byLabel = byRecord(LabelNode, {
  source: sourceRef,
  label: ({ id }) => ({ idOrName: String(id) }),
});

/** The same for fields that also accept the labels of the groups above. */
export const byLabelId = byRecord(LabelNode, {
  source: sourceRef,
  label: ({ id }) => String(id),
});
