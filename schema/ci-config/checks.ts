import { isMapping } from './yaml.ts';

/** The problem with a value, without its name; null when there is none. */
export type Check = (value: unknown) => string | null;

const check =
  (isRight: (value: unknown) => boolean, problem: string): Check =>
  (value) =>
    isRight(value) ? null : problem;

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isText);

const isPlain = (value: unknown) => isText(value) || typeof value === 'number';

export const text = check(isText, 'should be a string');
export const texts = check(isTexts, 'should be an array of strings');
export const textOrTexts = check(
  (value) => isText(value) || isTexts(value),
  'should be an array of strings or a string',
);
export const flag = check((value) => typeof value === 'boolean', 'should be a boolean value');
export const mapping = check(isMapping, 'should be a hash');
export const list = check(Array.isArray, 'should be a array');
export const mappingOrText = check(
  (value) => isText(value) || isMapping(value),
  'should be a hash or a string',
);
export const pairs = check(
  (value) => isMapping(value) && Object.values(value).every(isPlain),
  'should be a hash of key value pairs',
);
export const oneOf = (choices: readonly string[], problem: string): Check =>
  check((value) => isText(value) && choices.includes(value), problem);

/** Checks the keys of a mapping. */
export const keysOf =
  (allowed: readonly string[]): Check =>
  (value) => {
    const unknown = isMapping(value)
      ? Object.keys(value).filter((key) => !allowed.includes(key))
      : [];
    return unknown.length > 0 ? `contains unknown keys: ${unknown.join(', ')}` : null;
  };

const isPattern = (value: string): boolean => {
  try {
    new RegExp(value);
    return true;
  } catch {
    return false;
  }
};

/** `/pattern/`; null for anything else. */
export const patternOf = (value: unknown): string | null => {
  const inner = isText(value) ? /^\/(.*)\/$/s.exec(value)?.[1] : undefined;
  return inner !== undefined && isPattern(inner) ? inner : null;
};

export const pattern = check((value) => patternOf(value) !== null, 'must be a regular expression');

const looksLikePattern = (value: string) => value.startsWith('/') && value.endsWith('/');

export const refs = check(
  (value) =>
    isTexts(value) && value.every((item) => !looksLikePattern(item) || patternOf(item) !== null),
  'should be an array of strings or regexps',
);

/** No value, which YAML can express in several ways. */
export const isAbsent = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

export const isBlank = (value: unknown): boolean =>
  isAbsent(value) ||
  value === false ||
  (isText(value) && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0) ||
  (isMapping(value) && Object.keys(value).length === 0);
