type Camel<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Name;

const names = new Map<string, string>();

/** `created_after` → `createdAfter` */
function camelCase(name: string): string {
  const cached = names.get(name);
  if (cached !== undefined) return cached;
  const [first = '', ...rest] = name.split('_');
  const camel = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  names.set(name, camel);
  return camel;
}

/** Parameters as the fields of an input of the core: the same values under their names in camel case. */
export const camelCased = <Params extends object>(params: Params) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [camelCase(name), value])) as {
    readonly [Name in keyof Params as Camel<Name>]: Params[Name];
  };
