import { GraphQLScalarType } from 'graphql';
import { invalid } from './errors.ts';

const parseInstant = (value: unknown): Date => {
  const instant = value instanceof Date ? value : new Date(String(value));
  if (Number.isNaN(instant.getTime())) throw invalid({ base: [`${value} is not a time`] });
  return instant;
};

/** ISO 8601 in UTC with three fraction digits (v4-behaviour 1.2). */
export const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'An instant, ISO 8601 in UTC with milliseconds.',
  serialize: (value) => (value as Date).toISOString(),
  parseValue: parseInstant,
});

export const calendarDate = new GraphQLScalarType<Date, string>({
  name: 'Date',
  description: 'A calendar day, YYYY-MM-DD.',
  serialize: (value) => (value as Date).toISOString().slice(0, 10),
  parseValue: parseInstant,
});

/** Bytes go beyond 32 bits but never beyond what a JSON number holds exactly. */
export const byteCount = new GraphQLScalarType<never, number>({
  name: 'ByteCount',
  description: 'A number of bytes or of things, as a JSON number.',
  serialize: (value) => Number(value),
  parseValue: () => {
    throw invalid({ base: ['byte counts are never given'] });
  },
});
