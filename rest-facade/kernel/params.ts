import { z } from 'zod';
import { isReceivedFile, type ReceivedFile } from '../../schema/client/received-file.ts';
import { instantOf } from './instant.ts';
import { blankIsValue, isBody, isFile, isId, type JsonSchema, jsonTypes } from './marks.ts';
import { columnInteger, decimalOf, integerOf, largestInteger, readList, textOf } from './values.ts';

type Context = z.core.$RefinementCtx;

/** Adds an issue whose message follows the parameter's name: `page is invalid`. */
function refuse(input: unknown, ctx: Context, why = 'is invalid'): never {
  const message = input === undefined || input === null ? 'is missing' : why;
  ctx.issues.push({ code: 'custom', message, input });
  return z.NEVER;
}

/** A kind of parameters: what OpenAPI says of its values, and their reader. */
function kind<Value>(json: JsonSchema, read: (input: unknown, ctx: Context) => Value) {
  const transform = z.transform<unknown, Value>(read);
  jsonTypes.set(transform._zod.def.transform, json);
  return transform;
}

const listOf = <Item>(
  items: JsonSchema,
  item: (input: unknown) => Item | undefined,
  separator?: RegExp,
) =>
  kind(
    { type: 'array', items },
    (input, ctx): readonly Item[] => readList(input, item, separator) ?? refuse(input, ctx),
  );

const words = (value: boolean, ...texts: readonly unknown[]) =>
  texts.map((text) => [text, value] as const);
const flags: ReadonlyMap<unknown, boolean> = new Map([
  ...words(true, true, 1, 'true', '1', 't', 'yes', 'y', 'on'),
  ...words(false, false, 0, 'false', '0', 'f', 'no', 'n', 'off'),
]);

const none = new Uint8Array();

const bytes = { type: 'string', contentMediaType: 'application/octet-stream' };
const scalars = { type: 'object', additionalProperties: { type: 'string' } };

interface TextRules {
  /** Refuse '' and blanks: `name is empty`. */
  readonly isFilled?: boolean;
  readonly longest?: number;
}

const usuallyLongest = 2 ** 20;

const textType = (isFilled: boolean, longest: number): JsonSchema => ({
  type: 'string',
  ...(isFilled && { minLength: 1 }),
  ...(longest !== usuallyLongest && { maxLength: longest }),
});

const integer = { type: 'integer' };

const integerType = (least: number, most: number): JsonSchema => ({
  ...integer,
  ...(least !== -largestInteger && { minimum: least }),
  ...(most !== largestInteger && { maximum: most }),
});

interface IntegerRules {
  readonly least?: number;
  readonly most?: number;
}

/** The parameter kinds; each reads text (query, form) and JSON alike (v4-behaviour 1.7). */
export const p = {
  text: ({ isFilled = false, longest = usuallyLongest }: TextRules = {}) =>
    blankIsValue.on(
      kind(textType(isFilled, longest), (input, ctx): string => {
        const text = textOf(input);
        if (text === undefined || text.length > longest) return refuse(input, ctx);
        return isFilled && text.trim() === '' ? refuse(input, ctx, 'is empty') : text;
      }),
    ),

  int: ({ least = -largestInteger, most = largestInteger }: IntegerRules = {}) =>
    kind(integerType(least, most), (input, ctx): number => {
      const value = columnInteger(input);
      if (value === undefined) return refuse(input, ctx);
      const isAllowed = value >= least && value <= most;
      return isAllowed ? value : refuse(input, ctx, 'does not have a valid value');
    }),

  /** An integer of any size, clamped to the range of a column. */
  clampedInt: () =>
    kind(integer, (input, ctx): number => {
      const isWhole = typeof input === 'number' && (Number.isInteger(input) || input === Infinity);
      const isWritten = typeof input === 'string' && /^[+-]?\d+$/.test(input);
      if (!isWhole && !isWritten) return refuse(input, ctx);
      return Math.min(Math.max(Number(input), -largestInteger), largestInteger);
    }),

  /** An id. One beyond the column's range becomes 0, which no record has. */
  id: () =>
    isId.on(
      kind(integer, (input, ctx): number => {
        const id = integerOf(input);
        if (id === undefined) return refuse(input, ctx);
        return Math.abs(id) <= largestInteger ? id : 0;
      }),
    ),

  /** A number, with or without decimals. */
  decimal: () =>
    kind({ type: 'number' }, (input, ctx): number => decimalOf(input) ?? refuse(input, ctx)),

  flag: () =>
    kind({ type: 'boolean' }, (input, ctx): boolean => {
      const flag = flags.get(typeof input === 'string' ? input.toLowerCase() : input);
      return flag ?? refuse(input, ctx);
    }),

  /** One of a few texts; numbers are compared as text. */
  choice: <const Choice extends string>(choices: readonly Choice[]) =>
    kind({ type: 'string', enum: choices }, (input, ctx): Choice => {
      const text = textOf(input);
      if (text === undefined) return refuse(input, ctx);
      const choice = choices.find((candidate) => candidate === text);
      return choice ?? refuse(input, ctx, 'does not have a valid value');
    }),

  /** `a, b`, `a[]=…`, `a[0]=…` or a JSON array; '' is the empty list. */
  list: () => blankIsValue.on(listOf({ type: 'string' }, textOf)),
  intList: () => blankIsValue.on(listOf(integer, columnInteger)),

  /** Like `list`, also separated by semicolons, blanks and new lines. */
  words: () => blankIsValue.on(listOf({ type: 'string' }, textOf, /[\s,;]+/)),

  /** One of a few texts, each with its value. */
  mapped: <const Choice extends string, Value>(values: Readonly<Record<Choice, Value>>) =>
    p.choice(Object.keys(values) as Choice[]).transform((choice) => values[choice]),

  /** A list, each item of which is one of a few texts. */
  choices: <const Choice extends string>(choices: readonly Choice[]) =>
    blankIsValue.on(
      kind({ type: 'array', items: { enum: choices } }, (input, ctx): readonly Choice[] => {
        const given = readList(input, textOf);
        if (!given) return refuse(input, ctx);
        const chosen = choices.filter((choice) => given.includes(choice));
        const areChoices = given.every((text) => chosen.some((choice) => choice === text));
        return areChoices ? chosen : refuse(input, ctx, 'does not have a valid value');
      }),
    ),

  /** A day as `YYYY-MM-DD`; a time is ignored. */
  date: () =>
    kind({ type: 'string', format: 'date' }, (input, ctx): string => {
      const instant = typeof input === 'string' ? instantOf(input.trim()) : null;
      return instant && typeof input === 'string' ? input.trim().slice(0, 10) : refuse(input, ctx);
    }),

  /** The same as `base`, or '' or null to have none: null. */
  orNone: <Value>(base: z.ZodTransform<Value, unknown>) =>
    blankIsValue
      .on(
        kind(jsonTypes.get(base._zod.def.transform) ?? {}, (input, ctx): Value | null =>
          input === '' ? null : (base._zod.def.transform(input, ctx) as Value),
        ),
      )
      .nullable(),

  /** An instant, as ISO 8601 in UTC. */
  time: () =>
    kind({ type: 'string', format: 'date-time' }, (input, ctx): string => {
      const instant = typeof input === 'string' ? instantOf(input.trim()) : null;
      return instant?.toISOString() ?? refuse(input, ctx);
    }),

  /** The whole body, of any media type. */
  body: () =>
    isBody.on(kind(bytes, (input): Uint8Array => (input instanceof Uint8Array ? input : none))),

  /** A file from a part of the form. */
  file: () =>
    isFile.on(
      kind(
        bytes,
        (input, ctx): ReceivedFile => (isReceivedFile(input) ? input : refuse(input, ctx)),
      ),
    ),

  /** A file, or '' to remove it: null. */
  fileOrNone: () =>
    blankIsValue.on(
      isFile.on(
        kind(bytes, (input, ctx): ReceivedFile | null => {
          // a client that can only send files removes one by sending an empty file
          if (input === '' || (isReceivedFile(input) && input.size === 0)) return null;
          return isReceivedFile(input) ? input : refuse(input, ctx);
        }),
      ),
    ),

  /** `variables[KEY]=value` or a JSON object of scalars. */
  hash: () =>
    kind(scalars, (input, ctx): Readonly<Record<string, string>> => {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        return refuse(input, ctx);
      }
      const entries = Object.entries(input).map(([key, value]) => [textOf(key), textOf(value)]);
      if (entries.flat().includes(undefined)) return refuse(input, ctx);
      return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'));
    }),
};

/** A list that filters; clients send an empty one for no filter. */
export const filterList = <Item>(list: z.ZodTransform<readonly Item[], unknown>) =>
  list.transform((items) => (items.length > 0 ? items : undefined)).optional();

/** The usual orders of a listing, as the core names them. */
export const timeOrder = p
  .mapped({ created_at: 'createdAt', updated_at: 'updatedAt' } as const)
  .optional();

/** `:id` of a project or group: an id, or a full path already decoded. */
export const ref = {
  id: p
    .text({ isFilled: true, longest: 4096 })
    .describe('The id of the project or group, or its full path with `/` encoded as `%2F`.'),
};
