import { z } from 'zod';

/**
 * The fields of a JSON object in responses, which OpenAPI lists under its name. A response with any
 * other field is an error.
 */
export const entity = <Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) =>
  z.strictObject(shape).meta({ id: name });

/** The kinds of values in responses. Descriptions come from the fields of the core. */
export const s = {
  id: () => z.int(),
  int: () => z.int(),
  number: () => z.number(),
  text: () => z.string(),
  flag: () => z.boolean(),
  /** An instant in UTC: `2017-09-07T09:01:32.000Z`. */
  time: () => z.iso.datetime(),
  /** A day: `2017-09-07`. */
  day: () => z.iso.date(),
  url: () => z.url(),
  choice: <const Choice extends string>(choices: readonly Choice[]) => z.enum(choices),
  list: <Item extends z.ZodType>(item: Item) => z.array(item),
  object: <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape),
};
