/** An endpoint of REST, as the specification names it: `GET /projects/:id`. */
type OperationName = `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${Path}`;
export type Path = `/${string}`;

/** A method of a resource; its endpoint defines everything except its name. */
export type Method = readonly [operation: OperationName, title: string, description?: string];

/** By name, in the order of the list. */
export type Methods = Readonly<Record<string, Method>>;

/** A resource: its description, and the endpoints of its methods. */
export interface Resource {
  /** As in paths: `issue_note`. */
  readonly name: string;
  /** Alternative names. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description?: string;
  /** The noun in its fault messages: `note`. By default the words of its name. */
  readonly noun?: string;
  readonly methods: Methods;
}

export const nounOf = ({ name, noun = name.replaceAll('_', ' ') }: Resource): string => noun;

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
const pluralOf = (noun: string) => (noun.endsWith('ch') ? `${noun}es` : `${noun}s`);

/** The usual methods of a collection: of `GET <path>`, `GET <path>/<id>` and so on. */
export function collection(
  path: Path,
  id: `:${string}`,
  noun: string,
  parent: string,
  omitted?: 'create' | 'update',
): Methods {
  const element = `${path}/${id}` as const;
  const thing = `${withArticle(noun)} of ${parent}`;
  return {
    list: [`GET ${path}`, `List the ${pluralOf(noun)} of ${parent}`],
    info: [`GET ${element}`, `Show ${thing}`],
    ...(omitted !== 'create' && { create: [`POST ${path}`, `Create ${thing}`] }),
    ...(omitted !== 'update' && { update: [`PUT ${element}`, `Update ${thing}`] }),
    delete: [`DELETE ${element}`, `Delete ${thing}`],
  };
}
