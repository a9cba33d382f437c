import { GraphQLScalarType, type GraphQLScalarTypeConfig } from 'graphql';
import type { ReceivedFile } from '../ports/uploads.ts';
import { invalid } from './errors.ts';
import { isReceivedFile } from './received-file.ts';

/**
 * Accepts years of four digits: JavaScript and PostgreSQL both support them and format them alike.
 */
const parseInstant = (value: unknown): Date => {
  const isWritten = value instanceof Date || /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(String(value));
  const instant = value instanceof Date ? value : new Date(String(value));
  const year = instant.getUTCFullYear();
  if (!isWritten || !(year >= 1 && year <= 9999)) throw invalid({ base: ['is not a time'] });
  return instant;
};

const parseDay = (value: unknown): Date => {
  if (value instanceof Date) return parseInstant(value);
  const day = parseInstant(`${String(value)}T00:00Z`);
  // JavaScript accepts 30 February as a day in March
  if (day.toISOString().slice(0, 10) !== value) throw invalid({ base: ['is not a day'] });
  return day;
};

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Never throws, because one row must not break a list: an infinite or unreadable time, which only a
 * change of the database by hand can store, is shown as 1970, one beyond the years above as the nearest.
 */
const instantText = (value: unknown): string => {
  const time = value instanceof Date ? value.getTime() : Number.NaN;
  const shown = Number.isNaN(time) ? 0 : Math.min(Math.max(time, earliest), latest);
  return new Date(shown).toISOString();
};

/** ISO 8601 in UTC with three fraction digits (v4-behaviour 1.2). */
export const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A time, such as `2026-03-01T12:00:00.000Z`: RFC 3339, in UTC with milliseconds.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: instantText,
  parseValue: parseInstant,
});

export const calendarDate = new GraphQLScalarType<Date, string>({
  name: 'Date',
  description: 'A calendar day, such as `2026-03-01`: the full-date of RFC 3339.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: (value) => instantText(value).slice(0, 10),
  parseValue: parseDay,
});

const parseText = (value: unknown): string => {
  if (typeof value !== 'string') throw invalid({ base: ['is not a text'] });
  return value;
};

const textScalar = (
  config: Pick<GraphQLScalarTypeConfig<string, string>, 'name' | 'description' | 'specifiedByURL'>,
) => new GraphQLScalarType<string, string>({ ...config, serialize: String, parseValue: parseText });

export const sha = textScalar({
  name: 'SHA',
  description: 'The id of an object in a git repository: 40 lower-case hexadecimal digits.',
});

export const base64 = textScalar({
  name: 'Base64',
  description: 'Bytes in Base64, with padding and without line breaks.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
});

export const url = textScalar({
  name: 'URL',
  description: 'An absolute URL.',
  specifiedByURL: 'https://url.spec.whatwg.org/',
});

/** Byte counts exceed 32 bits, but never the integers that a JSON number holds exactly. */
export const byteCount = new GraphQLScalarType<never, number>({
  name: 'ByteCount',
  description: 'A number of bytes, as a JSON number that may exceed 32 bits.',
  serialize: (value) => Number(value),
  parseValue: () => {
    throw invalid({ base: ['byte counts are never given'] });
  },
});

/** The raw request body; a client's document cannot contain one. */
export const bytes = new GraphQLScalarType<Uint8Array, never>({
  name: 'Bytes',
  description: 'The body of the HTTP request. A document cannot contain one.',
  serialize: () => {
    throw new Error('bodies are never shown');
  },
  parseValue: (value) => {
    if (!(value instanceof Uint8Array)) throw invalid({ base: ['is no body of the request'] });
    return value;
  },
});

/** Accepts only files received with the same request: a document cannot name a path. */
export const upload = new GraphQLScalarType<ReceivedFile, never>({
  name: 'Upload',
  description: 'A file sent with the request, as a part of a form. A document cannot contain one.',
  serialize: () => {
    throw new Error('files are never shown');
  },
  parseValue: (value) => {
    if (!isReceivedFile(value)) throw invalid({ base: ['is no file that came with the request'] });
    return value;
  },
});
