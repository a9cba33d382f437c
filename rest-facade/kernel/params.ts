import { z } from 'zod';
import { isReceivedFile, type ReceivedFile } from '../../schema/client/received-file.ts';
import { instantOf } from './instant.ts';
import { blankIsValue, isBody, isFile, isId } from './marks.ts';

/** The largest integer of a column; larger values are refused before they reach the database. */
const largestInteger = 2 ** 31 - 1;

type Context = z.core.$RefinementCtx;

/** Adds an issue whose message follows the parameter's name: `page is invalid`. */
function refuse(input: unknown, ctx: Context, why = 'is invalid'): never {
  const message = input === undefined || input === null ? 'is missing' : why;
  ctx.issues.push({ code: 'custom', message, input });
  return z.NEVER;
}

const kind = <Value>(read: (input: unknown, ctx: Context) => Value) =>
  z.transform<unknown, Value>(read);

/** A column holds neither NUL nor lone surrogates. */
const isStorable = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

const textOf = (input: unknown): string | undefined => {
  if (typeof input === 'string') return isStorable(input) ? input : undefined;
  return typeof input === 'number' || typeof input === 'boolean' ? String(input) : undefined;
};

const integerOf = (input: unknown): number | undefined => {
  if (typeof input === 'number') return Number.isInteger(input) ? input : undefined;
  return typeof input === 'string' && /^[+-]?\d{1,20}$/.test(input) ? Number(input) : undefined;
};

const decimalOf = (input: unknown): number | undefined => {
  const isWritten = typeof input === 'string' && /^[+-]?\d{1,20}(?:\.\d{1,20})?$/.test(input);
  const number = typeof input === 'number' || isWritten ? Number(input) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

const columnInteger = (input: unknown): number | undefined => {
  const integer = integerOf(input);
  return integer !== undefined && Math.abs(integer) <= largestInteger ? integer : undefined;
};

/** JSON arrays, `a[]=x` and `a[7]=x`; undefined for anything else. */
function itemsOf(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input;
  if (typeof input !== 'object' || input === null) return undefined;
  return Object.keys(input).every((key) => /^\d+$/.test(key)) ? Object.values(input) : undefined;
}

const split = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The items of a list in any of its forms; undefined if the value or an item is invalid. */
function readList<Item>(
  input: unknown,
  item: (input: unknown) => Item | undefined,
  separator = /,/,
): readonly Item[] | undefined {
  const given =
    typeof input === 'string'
      ? split(input, separator)
      : itemsOf(input)?.filter((part) => part !== '');
  const items = given?.map(item).filter((read) => read !== undefined);
  return items && items.length === given?.length ? items : undefined;
}

const listOf = <Item>(item: (input: unknown) => Item | undefined, separator?: RegExp) =>
  kind((input, ctx): readonly Item[] => readList(input, item, separator) ?? refuse(input, ctx));

const words = (value: boolean, ...texts: readonly unknown[]) =>
  texts.map((text) => [text, value] as const);
const flags: ReadonlyMap<unknown, boolean> = new Map([
  ...words(true, true, 1, 'true', '1', 't', 'yes', 'y', 'on'),
  ...words(false, false, 0, 'false', '0', 'f', 'no', 'n', 'off'),
]);

const none = new Uint8Array();

interface TextRules {
  /** Refuse '' and blanks: `name is empty`. */
  readonly isFilled?: boolean;
  readonly longest?: number;
}

interface IntegerRules {
  readonly least?: number;
  readonly most?: number;
}

/** The parameter kinds; each reads text (query, form) and JSON alike (v4-behaviour 1.7). */
export const p = {
  text: ({ isFilled = false, longest = 2 ** 20 }: TextRules = {}) =>
    blankIsValue.on(
      kind((input, ctx): string => {
        const text = textOf(input);
        if (text === undefined || text.length > longest) return refuse(input, ctx);
        return isFilled && text.trim() === '' ? refuse(input, ctx, 'is empty') : text;
      }),
    ),

  int: ({ least = -largestInteger, most = largestInteger }: IntegerRules = {}) =>
    kind((input, ctx): number => {
      const integer = columnInteger(input);
      if (integer === undefined) return refuse(input, ctx);
      const isAllowed = integer >= least && integer <= most;
      return isAllowed ? integer : refuse(input, ctx, 'does not have a valid value');
    }),

  /** An integer of any size, clamped to the range of a column. */
  clampedInt: () =>
    kind((input, ctx): number => {
      const isWhole = typeof input === 'number' && (Number.isInteger(input) || input === Infinity);
      const isWritten = typeof input === 'string' && /^[+-]?\d+$/.test(input);
      if (!isWhole && !isWritten) return refuse(input, ctx);
      return Math.min(Math.max(Number(input), -largestInteger), largestInteger);
    }),

  /** An id. One beyond the column's range becomes 0, which no record has. */
  id: () =>
    isId.on(
      kind((input, ctx): number => {
        const integer = integerOf(input);
        if (integer === undefined) return refuse(input, ctx);
        return Math.abs(integer) <= largestInteger ? integer : 0;
      }),
    ),

  /** A number, with or without decimals. */
  decimal: () => kind((input, ctx): number => decimalOf(input) ?? refuse(input, ctx)),

  flag: () =>
    kind((input, ctx): boolean => {
      const flag = flags.get(typeof input === 'string' ? input.toLowerCase() : input);
      return flag ?? refuse(input, ctx);
    }),

  /** One of a few texts; numbers are compared as text. */
  choice: <const Choice extends string>(choices: readonly Choice[]) =>
    kind((input, ctx): Choice => {
      const text = textOf(input);
      if (text === undefined) return refuse(input, ctx);
      const choice = choices.find((candidate) => candidate === text);
      return choice ?? refuse(input, ctx, 'does not have a valid value');
    }),

  /** `a, b`, `a[]=…`, `a[0]=…` or a JSON array; '' is the empty list. */
  list: () => blankIsValue.on(listOf(textOf)),
  intList: () => blankIsValue.on(listOf(columnInteger)),

  /** Like `list`, also separated by semicolons, blanks and new lines. */
  words: () => blankIsValue.on(listOf(textOf, /[\s,;]+/)),

  /** One of a few texts, each with its value. */
  mapped: <const Choice extends string, Value>(values: Readonly<Record<Choice, Value>>) =>
    p.choice(Object.keys(values) as Choice[]).transform((choice) => values[choice]),

  /** A list, each item of which is one of a few texts. */
  choices: <const Choice extends string>(choices: readonly Choice[]) =>
    blankIsValue.on(
      kind((input, ctx): readonly Choice[] => {
        const given = readList(input, textOf);
        if (!given) return refuse(input, ctx);
        const chosen = choices.filter((choice) => given.includes(choice));
        const areChoices = given.every((text) => chosen.some((choice) => choice === text));
        return areChoices ? chosen : refuse(input, ctx, 'does not have a valid value');
      }),
    ),

  /** A day as `YYYY-MM-DD`; a time is ignored. */
  date: () =>
    kind((input, ctx): string => {
      const instant = typeof input === 'string' ? instantOf(input.trim()) : null;
      return instant && typeof input === 'string' ? input.trim().slice(0, 10) : refuse(input, ctx);
    }),

  /** The same as `base`, or '' or null to have none: null. */
  orNone: <Value>(base: z.ZodTransform<Value, unknown>) =>
    blankIsValue
      .on(
        z.transform<unknown, Value | null>((input, ctx) =>
          input === '' ? null : (base._zod.def.transform(input, ctx) as Value),
        ),
      )
      .nullable(),

  /** An instant, as ISO 8601 in UTC. */
  time: () =>
    kind((input, ctx): string => {
      const instant = typeof input === 'string' ? instantOf(input.trim()) : null;
      return instant?.toISOString() ?? refuse(input, ctx);
    }),

  /** The whole body, of any media type. */
  body: () => isBody.on(kind((input): Uint8Array => (input instanceof Uint8Array ? input : none))),

  /** A file from a part of the form. */
  file: () =>
    isFile.on(
      kind((input, ctx): ReceivedFile => (isReceivedFile(input) ? input : refuse(input, ctx))),
    ),

  /** A file, or '' to remove it: null. */
  fileOrNone: () =>
    blankIsValue.on(
      isFile.on(
        kind((input, ctx): ReceivedFile | null => {
          // a client that can only send files removes one by sending an empty file
          if (input === '' || (isReceivedFile(input) && input.size === 0)) return null;
          return isReceivedFile(input) ? input : refuse(input, ctx);
        }),
      ),
    ),

  /** `variables[KEY]=value` or a JSON object of scalars. */
  hash: () =>
    kind((input, ctx): Readonly<Record<string, string>> => {
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
export const ref = { id: p.text({ isFilled: true, longest: 4096 }) };
