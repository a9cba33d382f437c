import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { RequestFacts } from './context.ts';
import { delegatedAccess } from './errors.ts';

const pluginName = 'inPerson';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      inPerson: InPersonPlugin<Types>;
    }
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      // the type parameters must match the interface that this one extends
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /**
       * Rejects delegated (OAuth) access tokens before the field is resolved: credentials, e-mail
       * addresses, two-factor settings and applications need the user in person. What a program
       * created there would outlive its revoked token.
       */
      inPerson?: true;
    }
  }
}

interface RequestContext {
  readonly request: RequestFacts;
}

class InPersonPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    return config.pothosOptions.inPerson
      ? { ...config, extensions: { ...config.extensions, [pluginName]: true } }
      : config;
  }

  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { pothosOptions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (!pothosOptions.inPerson) return resolver;
    return (parent, args, context, info) => {
      if ((context as RequestContext).request.isDelegated) throw delegatedAccess();
      return resolver(parent, args, context, info);
    };
  }
}

/** Rejects delegated access to a field that needs the user in person, before its arguments are read. */
export function refuseDelegated(
  { extensions }: { readonly extensions?: Readonly<Record<string, unknown>> | null | undefined },
  context: object,
): void {
  if (extensions?.[pluginName] && (context as RequestContext).request.isDelegated) {
    throw delegatedAccess();
  }
}

/** The option `inPerson` of a field; the schema keeps it as the extension of the same name. */
export function registerInPerson(): typeof pluginName {
  SchemaBuilder.registerPlugin(pluginName, InPersonPlugin);
  return pluginName;
}
