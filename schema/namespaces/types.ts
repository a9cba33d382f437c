import { builder } from '../kernel/builder.ts';

export const NamespaceKind = builder.enumType('NamespaceKind', {
  values: ['user', 'group'] as const,
});

/** A container of projects: a group, or the personal namespace of a user. */
export const Namespace = builder.prismaObject('Namespace', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    kind: t.expose('kind', { type: NamespaceKind }),
    name: t.exposeString('name'),
    path: t.exposeString('path'),
    fullPath: t.exposeString('fullPath'),
    parentId: t.exposeInt('parentId', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    /** The owner of a personal namespace; null for a group. */
    owner: t.relation('owner', { nullable: true }),
  }),
});
