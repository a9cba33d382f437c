import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { Label } from '../labels/types.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Milestone } from '../milestones/types.ts';
import { Project } from '../projects/types.ts';
import { User, UserPage } from '../users/types.ts';

/** The cost of a document assumes this many labels of an issue. */
export const labelsCost = { field: 1, multiplier: 5 } as const;

/** What issues and merge requests have in common. Each type resolves the fields itself. */
export const Issuable = builder.interfaceRef<object>('Issuable').implement({
  description: 'What an issue and a merge request have in common.',
  fields: (t) => ({
    id: t.int({ description: 'The id.' }),
    iid: t.int({ description: 'The number within the project.' }),
    project: t.field({
      type: Project,
      extensions: publiclyNullable,
      description: 'The project that it belongs to.',
    }),
    title: t.string({ description: 'The title, in one line.' }),
    description: t.string({
      nullable: true,
      complexity: textCost,
      description: 'The description in Markdown; null if there is none.',
    }),
    author: t.field({
      type: User,
      nullable: true,
      description: 'The user who created it; null if the account was deleted.',
    }),
    labels: t.field({
      type: [Label],
      complexity: labelsCost,
      description: 'The labels, in the order of their names.',
    }),
    milestone: t.field({
      type: Milestone,
      nullable: true,
      description: 'The milestone; null if there is none.',
    }),
    participants: t.field({
      type: UserPage,
      complexity: listingCost,
      args: pageArgs,
      description:
        'The author, the assignees and the authors of notes, each once, in the order of their ids.',
    }),
    closedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was closed; null if it is open, and for a merged merge request.',
    }),
    closedBy: t.field({
      type: User,
      nullable: true,
      description:
        'The user who closed it. Null if it was not closed, and if the account was deleted.',
    }),
    canUpdate: t.boolean({ description: 'Whether the current user may change it.' }),
    isDiscussionLocked: t.boolean({
      description: 'Whether only members of the project may comment.',
    }),
    userNotesCount: t.int({
      description: 'The number of notes that users wrote: without system notes.',
    }),
    upvotes: t.int({ description: 'The number of `thumbsup` award emoji.' }),
    downvotes: t.int({ description: 'The number of `thumbsdown` award emoji.' }),
    timeEstimate: t.int({
      description: 'The estimated working time in seconds; 0 without an estimate.',
    }),
    totalTimeSpent: t.int({ description: 'The working time that was recorded, in seconds.' }),
    isSubscribed: t.boolean({
      description:
        'Whether the current user is notified of changes: by their own choice, or because they take part. False for an anonymous user.',
    }),
    webUrl: t.field({ type: 'URL', description: 'The address for browsers.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed, including its notes.',
    }),
  }),
});
