import colorNames from 'color-name';
import { blankOrTooLong } from '../kernel/lengths.ts';

const longestName = 255;

/** The validation errors of a label's name (v4-behaviour 3.6). */
export function nameFaults(name: string): readonly string[] {
  const invalid = blankOrTooLong(name, longestName);
  return invalid.length === 0 && name.includes(',') ? ['is invalid'] : invalid;
}

const colorShape = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/**
 * `#rrggbb` for `#RGB`, `#RRGGBB` or a CSS colour name, with the digits' case unchanged; else null.
 */
export function colorOf(text: string): string | null {
  const color = text.trim();
  if (colorShape.test(color)) {
    return color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color;
  }
  const name = color.toLowerCase();
  if (!Object.hasOwn(colorNames, name)) return null;
  const digits = colorNames[name]?.map((part) => part.toString(16).padStart(2, '0')) ?? [];
  return `#${digits.join('')}`;
}

/** The validation errors of a label's colour, as `colorOf` returned it. */
export const colorFaults = (color: string | null): readonly string[] =>
  color === null ? ['must be a valid color code'] : [];

export const priorityFaults = (priority: number): readonly string[] =>
  priority >= 0 ? [] : ['must be greater than or equal to 0'];
