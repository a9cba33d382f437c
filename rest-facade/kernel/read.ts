import { z } from 'zod';
import { readsBlank } from './marks.ts';

/** The parameters sent, by name; without a prototype, which a name could otherwise reach. */
export type Raw = Record<string, unknown>;

/** The parameters, or a description of what is wrong with them. */
export type Reading<Params> =
  | { readonly params: Params; readonly problem?: undefined }
  | { readonly params?: undefined; readonly problem: string };

/** All parameters in one map: the body overrides the query, the path overrides both. */
export const merged = (query: object, body: object | undefined, path: object): Raw =>
  Object.assign(Object.create(null), query, body, path);

interface Absences {
  /** Names for which null says "not given". */
  readonly nulls: readonly string[];
  /** Names for which '' says "not given". */
  readonly blanks: readonly string[];
}

/** Which values of optional parameters mean "not given", computed once per schema. */
function absencesOf(schema: z.ZodType): Absences {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  const nulls: string[] = [];
  const blanks: string[] = [];
  for (const [name, field] of Object.entries(shape)) {
    let inner: unknown = field;
    let isNullable = false;
    while (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodDefault
    ) {
      isNullable ||= inner instanceof z.ZodNullable;
      inner = inner.unwrap();
    }
    if (inner === field) continue;
    if (!isNullable) nulls.push(name);
    if (!readsBlank(inner)) blanks.push(name);
  }
  return { nulls, blanks };
}

const words = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'custom') return issue.message;
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_value') return 'does not have a valid value';
  return issue.code === 'too_small' && issue.origin === 'string' ? 'is empty' : 'is invalid';
};

const nameOf = ([first, ...rest]: readonly PropertyKey[]) =>
  `${String(first)}${rest.map((part) => `[${String(part)}]`).join('')}`;

/** `key is missing, visibility is invalid` */
const describe = ({ issues }: z.ZodError): string =>
  issues
    .map((issue) => (issue.path.length ? `${nameOf(issue.path)} ${words(issue)}` : words(issue)))
    .join(', ');

/** A reader of the parameters in `schema`; it drops undeclared names. */
export function readerOf<Params>(schema: z.ZodType<Params>): (raw: Raw) => Reading<Params> {
  const { nulls, blanks } = absencesOf(schema);
  return (raw) => {
    for (const name of nulls) if (raw[name] === null) delete raw[name];
    for (const name of blanks) if (raw[name] === '') delete raw[name];
    const read = schema.safeParse(raw, { reportInput: true });
    return read.success ? { params: read.data } : { problem: describe(read.error) };
  };
}
