import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { badUserInput } from './errors.ts';

const pluginName = 'pageBounds';

/** The largest page of a listing; a page has at least one row. */
export const largestPage = 100;

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      pageBounds: PageBoundsPlugin<Types>;
    }
  }
}

/** The arguments of listings that are a number of rows. */
const sizes = ['perPage', 'first', 'last'] as const;

/** Throws unless the number of rows in `args` is within its bounds. */
function checkSizes(args: Partial<Record<(typeof sizes)[number], unknown>>): void {
  for (const name of sizes) {
    const size = args[name];
    if (typeof size === 'number' && (size < 1 || size > largestPage)) {
      throw badUserInput({ [name]: [`must be between 1 and ${largestPage}`] });
    }
  }
}

/** Wraps the fields that have such an argument, so that the bounds hold for each listing. */
class PageBoundsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (!sizes.some((name) => name in args)) return resolver;
    return (parent, given, context, info) => {
      checkSizes(given);
      return resolver(parent, given, context, info);
    };
  }
}

/** Rejects pages of more rows than the bound, or of none. Facades clamp sizes before they execute. */
export function registerPageBounds(): typeof pluginName {
  SchemaBuilder.registerPlugin(pluginName, PageBoundsPlugin);
  return pluginName;
}
