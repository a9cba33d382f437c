import type { DocumentNode } from 'graphql';
import { z } from 'zod';
import type { ResultOf } from '../../schema/client/graphql.ts';
import type { Given } from '../../schema/client/operation.ts';

/** The JSON that a fragment selects, with differences. */
export interface Selected {
  readonly fragment: DocumentNode;
  /** The name in OpenAPI if it differs from the fragment: that of the fragment without `Fields`. */
  readonly name?: string;
  readonly without?: readonly PropertyKey[];
  readonly fields?: z.core.$ZodLooseShape;
}

const selections = new WeakMap<object, Selected>();

function custom<Value>(selected: Selected): z.ZodType<Value> {
  const type = z.custom<Value>(() => true);
  // keyed by the check: zod copies a schema when a description is added
  selections.set(type._zod.def.fn, selected);
  return type;
}

/** The argument of `selected` or `changed`; null for any other type. */
export const selectionOf = (type: unknown): Selected | null =>
  type instanceof z.ZodCustom ? (selections.get(type._zod.def.fn) ?? null) : null;

/** The JSON that a fragment selects, unchanged. */
export const selected = <Fragment extends DocumentNode>(fragment: Fragment) =>
  custom<ResultOf<Fragment>>({ fragment });

/**
 * The JSON that a fragment selects, `without` some of its fields and with others, which OpenAPI lists
 * as `name`.
 */
export const changed = <
  Fragment extends DocumentNode,
  Without extends keyof ResultOf<Fragment>,
  Fields extends z.core.$ZodLooseShape,
>(
  name: string,
  fragment: Fragment,
  without: readonly Without[],
  fields: Fields,
) =>
  custom<Omit<ResultOf<Fragment>, Without | keyof Fields> & z.output<z.ZodObject<Fields>>>({
    fragment,
    name,
    without,
    fields,
  });

/** The fields of a JSON object that no fragment selects, which OpenAPI lists as `name`. */
export const entity = <Fields extends z.core.$ZodLooseShape>(name: string, fields: Fields) =>
  z.strictObject(fields).meta({ id: name });

const shapes = new WeakMap<object, z.ZodType>();

/**
 * A function that makes the JSON of a response, with its shape: the compiler refuses a function that
 * makes anything else.
 */
export function shaped<Shape, Reshape extends (...given: never[]) => Given<Shape>>(
  shape: z.ZodType<Shape>,
  reshape: Reshape,
): Reshape {
  shapes.set(reshape, shape);
  return reshape;
}

/** The shape of what a `shaped` function makes. */
export function shapeOf<Json>(reshape: (...given: never[]) => Json): z.ZodType<Json> {
  const shape = shapes.get(reshape);
  if (!shape) throw new Error(`${reshape.name} has no shape`);
  return shape as z.ZodType<Json>;
}

/** The shape of a response, if its function has one. */
export const declaredShape = (reshape: object | undefined): z.ZodType | undefined =>
  reshape && shapes.get(reshape);

/** The kinds of values in responses. */
export const s = {
  id: () => z.int(),
  int: () => z.int(),
  text: () => z.string(),
  flag: () => z.boolean(),
  /** An instant in UTC: `2017-09-07T09:01:32.000Z`. */
  time: () => z.iso.datetime(),
  /** A day: `2017-09-07`. */
  day: () => z.iso.date(),
  url: () => z.url(),
  choice: <const Choice extends string>(choices: readonly Choice[]) => z.enum(choices),
  list: <Item extends z.ZodType>(item: Item) => z.array(item),
  object: <Fields extends z.core.$ZodLooseShape>(fields: Fields) => z.strictObject(fields),
};

/** The body of a 202. */
export const accepted = entity('Accepted', {
  message: s.text().describe('Always `202 Accepted`.'),
});
