type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The same values, their names in camelCase. */
type CamelCased<Fields> = { readonly [Name in keyof Fields as CamelCase<Name>]: Fields[Name] };

const renamed = (fields: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));

/** `{ lfs_enabled }` → `{ lfsEnabled }`: parameters as fields of a GraphQL input. */
export const camelCased = <Fields extends object>(fields: Fields) =>
  renamed(fields, (name) =>
    name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  ) as CamelCased<Fields>;

/** `{ lfsEnabled }` → `{ lfs_enabled }`: GraphQL data as JSON, in the same order. */
export const snakeCased = (fields: object): Readonly<Record<string, unknown>> =>
  renamed(fields, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
