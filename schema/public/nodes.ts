import { queryFromInfo } from '@pothos/plugin-prisma';
import {
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInterfaceType,
  GraphQLNonNull,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { nodeLoader } from '../kernel/nodes.ts';
import { ifVisible } from '../kernel/results.ts';
import { parsedGlobalId } from './ids.ts';

/** The type of each record that `node` has returned. */
const typeNames = new WeakMap<object, string>();

/** The interface of the types whose records `node` finds. */
export const Node = new GraphQLInterfaceType({
  name: 'Node',
  description: 'A record that `node` finds by its id.',
  fields: {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'The id, e.g. `Issue:42`.',
      extensions: { complexity: 1 },
    },
  },
  resolveType: (record) => typeNames.get(record as object),
});

/** The root field `node`. */
export const nodeField: GraphQLFieldConfig<unknown, Context> = {
  type: Node,
  description:
    'A record that the current user may see, of any type with the interface `Node`. Every other id causes the same error NOT_FOUND, so that the error does not reveal whether a record exists.',
  args: {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'The id with its type, e.g. `Issue:42`.',
    },
  },
  extensions: { complexity: statementCost },
  resolve: async (_root, { id }, context, info) => {
    const globalId = parsedGlobalId(String(id));
    const load = globalId && nodeLoader(globalId.type);
    if (!load) throw notFound('Node');
    const { type, number } = globalId;
    const query = selectionOf(type, context, info);
    // the error of a loader differs between a hidden record and an absent one
    const record = await ifVisible(() => load(query, number, context));
    if (!record) throw notFound('Node');
    typeNames.set(record, type);
    return record;
  },
};

/** Prisma's selection for the fields that the document selects of this type, if it is a row. */
const selectionOf = (typeName: string, context: Context, info: GraphQLResolveInfo): object =>
  info.schema.getType(typeName)?.extensions.pothosPrismaModel
    ? queryFromInfo({ context, info, typeName })
    : {};
