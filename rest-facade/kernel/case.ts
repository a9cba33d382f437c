type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The same values, their names in camelCase. */
type CamelCased<Fields> = { readonly [Name in keyof Fields as CamelCase<Name>]: Fields[Name] };

/** By name: the names are those of declared parameters, so they are few. */
const camelCases = new Map<string, string>();

/** `lfs_enabled` → `lfsEnabled`. */
export function camelCase(name: string): string {
  const cached = camelCases.get(name);
  if (cached !== undefined) return cached;
  const [first = '', ...rest] = name.split('_');
  const camel = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  camelCases.set(name, camel);
  return camel;
}

const renamed = (fields: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));

/** `{ lfs_enabled }` → `{ lfsEnabled }`: parameters as fields of a GraphQL input. */
export const camelCased = <Fields extends object>(fields: Fields) =>
  renamed(fields, camelCase) as CamelCased<Fields>;

/** `lfsEnabled` → `lfs_enabled`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
