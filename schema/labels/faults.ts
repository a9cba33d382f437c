import { unfilled } from '../kernel/lengths.ts';

const longestName = 255;

/** What is wrong with the name of a label; empty when nothing is (v4-behaviour 3.6). */
export function nameFaults(name: string): readonly string[] {
  const unfit = unfilled(name, longestName);
  return unfit.length === 0 && name.includes(',') ? ['is invalid'] : unfit;
}

const colorShape = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

export const colorFaults = (color: string): readonly string[] =>
  colorShape.test(color) ? [] : ['must be a valid color code'];

export const priorityFaults = (priority: number): readonly string[] =>
  priority >= 0 ? [] : ['must be greater than or equal to 0'];
