import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { done, ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { storedRecord } from '../listing/records.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { matchesRule } from '../repository/push-rules.ts';
import { RefAccess } from '../repository/ref-access.ts';
import { canProtectTags } from './policy.ts';
import {
  createProtectedTag,
  deleteProtectedTag,
  findProtectedTag,
  findTagProtectableProject,
  listProtectedTags,
  tagRulesOfProjects,
  updateProtectedTag,
} from './protection.ts';
import { Tag } from './types.ts';

const ProtectedTag = builder.prismaObject('ProtectedTag', {
  description: 'A rule that protects the tags whose names match its own.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name of a tag, or a pattern in which `*` stands for any text.',
    }),
    createAccessLevel: t.exposeInt('createAccessLevel', {
      description: 'The lowest access level that may create such tags.',
    }),
    create: t.field({
      type: RefAccess,
      extensions: internal,
      resolve: (rule) => ({ level: rule.createAccessLevel }),
    }),
  }),
});

const ProtectedTagPage = pageType('ProtectedTag', ProtectedTag);

builder.objectField(Tag, 'isProtected', (t) =>
  t.boolean({
    description: 'Whether a rule protects the tag.',
    resolve: async ({ name: tag, repository }, _args, ctx) => {
      const rules = await tagRulesOfProjects(repository.id, ctx);
      return rules.some(({ name }) => matchesRule(name, tag));
    },
  }),
);

builder.prismaObjectField(Project, 'protectedTags', (t) =>
  t.field({
    type: ProtectedTagPage,
    description:
      'The rules that protect tags, by name. Null for a user below the level of a master.',
    nullable: true,
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        await projectById(id, ctx, (_viewer, level) => canProtectTags(level));
        return listProtectedTags(id, page, ctx);
      }),
  }),
);

const ruleArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  name: t.string({
    required: true,
    description: 'The name of the tag; `*` stands for any text.',
  }),
}));

builder.queryFields((t) => ({
  protectedTags: t.field({
    type: ProtectedTagPage,
    description: 'The rules that protect tags of a project, by name. Masters only.',
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, project: t.arg.id({ required: true, description: 'The project.' }) },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id } = await findTagProtectableProject(project, ctx);
      return listProtectedTags(id, page, ctx);
    },
  }),
  protectedTag: t.prismaField({
    type: ProtectedTag,
    extensions: internal,
    args: ruleArgs,
    resolve: async (query, _root, { project, name }, ctx) => {
      const { id } = await findProtectedTag(project, name, ctx);
      return storedRecord(ctx, 'protectedTag', id, query);
    },
  }),
}));

builder.mutationFields((t) => ({
  createProtectedTag: t.prismaField({
    type: ProtectedTag,
    description:
      'Creates a protection rule for all tags whose names match. Requires the access level MASTER or higher.',
    args: {
      ...ruleArgs,
      createAccessLevel: t.arg.int({
        defaultValue: Access.master,
        description:
          'The lowest level that may create such tags: no access, developers or masters.',
      }),
    },
    resolve: async (query, _root, { project, name, createAccessLevel }, ctx) => {
      const rule = { name, createAccessLevel: createAccessLevel ?? Access.master };
      const id = await createProtectedTag(project, rule, ctx);
      return storedRecord(ctx, 'protectedTag', id, query);
    },
  }),
  updateProtectedTag: t.prismaField({
    type: ProtectedTag,
    description:
      'Changes a protection rule of tags; without a level it stays as it is. Requires the access level MASTER or higher.',
    args: {
      ...ruleArgs,
      createAccessLevel: t.arg.int({
        description:
          'The lowest level that may create such tags: no access, developers or masters.',
      }),
    },
    resolve: async (query, _root, { project, name, createAccessLevel }, ctx) => {
      const id = await updateProtectedTag(project, name, { createAccessLevel }, ctx);
      return storedRecord(ctx, 'protectedTag', id, query);
    },
  }),
  deleteProtectedTag: t.string({
    extensions: { payload: 'name', payloadDescription: 'The name or pattern of the deleted rule.' },
    description: 'Deletes a protection rule of tags. Requires the access level MASTER or higher.',
    args: ruleArgs,
    resolve: (_root, { project, name }, ctx) => done(deleteProtectedTag(project, name, ctx), name),
  }),
}));
