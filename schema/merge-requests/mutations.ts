import { addIssuableActions } from '../issuables/actions.ts';
import { addIssuableFields, iidArgs } from '../issuables/fields.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { storedRecord } from '../listing/records.ts';
import { createMergeRequest } from './create.ts';
import { findMergeRequest } from './find.ts';
import { MergeRequestChangeInput, NewMergeRequestInput } from './inputs.ts';
import { byMergeRequest } from './node.ts';
import { removeMergeRequest } from './remove.ts';
import { changeMergeRequestTime } from './time.ts';
import { MergeRequest } from './types.ts';
import { updateMergeRequest } from './update.ts';

builder.mutationFields((t) => ({
  createMergeRequest: t.prismaField({
    type: MergeRequest,
    description:
      'Creates a merge request from a branch of the source project. Developers of the source project who can read the code of the target project.',
    complexity: walkCost,
    args: {
      sourceProject: t.arg.id({
        required: true,
        description: 'The project of the source branch.',
      }),
      mergeRequest: t.arg({
        type: NewMergeRequestInput,
        required: true,
        description: 'The new merge request.',
      }),
    },
    resolve: async (query, _root, { sourceProject, mergeRequest }, ctx) => {
      const id = await createMergeRequest(sourceProject, mergeRequest, ctx);
      return storedRecord(ctx, 'mergeRequest', id, query);
    },
  }),
  updateMergeRequest: t.prismaField({
    extensions: byMergeRequest,
    type: MergeRequest,
    complexity: walkCost,
    description:
      'Changes a merge request; absent fields stay as they are. Developers and the author may do it.',
    args: {
      ...iidArgs,
      change: t.arg({ type: MergeRequestChangeInput, required: true, description: 'The changes.' }),
    },
    resolve: async (query, _root, { project, iid, change }, ctx) => {
      const id = await updateMergeRequest(project, iid, change, ctx);
      return storedRecord(ctx, 'mergeRequest', id, query);
    },
  }),
  deleteMergeRequest: t.id({
    extensions: { ...byMergeRequest, identifies: 'MergeRequest' },
    description: 'Deletes a merge request with its notes. Requires the access level OWNER.',
    args: iidArgs,
    resolve: (_root, { project, iid }, ctx) => removeMergeRequest(project, iid, ctx),
  }),
}));

addIssuableFields(mergeRequestKind, MergeRequest);
addIssuableActions({
  extensions: byMergeRequest,
  kind: mergeRequestKind,
  type: MergeRequest,
  find: findMergeRequest,
  changeTime: changeMergeRequestTime,
});
