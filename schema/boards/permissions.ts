import { builder } from '../kernel/builder.ts';
import { ProjectAccess } from '../projects/types.ts';
import { canArrangeLists, canDeleteLists } from './policy.ts';

builder.objectFields(ProjectAccess, (t) => ({
  canArrangeBoardLists: t.boolean({
    description: 'Whether the current user may add lists to boards, and move them.',
    resolve: ({ level }) => canArrangeLists(level),
  }),
  canDeleteBoardLists: t.boolean({
    description: 'Whether the current user may delete lists of boards.',
    resolve: ({ level }) => canDeleteLists(level),
  }),
}));
