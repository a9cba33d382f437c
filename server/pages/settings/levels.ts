import { numberOf } from '../kernel/addresses.ts';
import type { Option } from '../kernel/forms.ts';

/** The levels that a rule of a branch or tag may require. */
export const ruleLevels: readonly Option[] = [
  ['40', 'Masters'],
  ['30', 'Developers + Masters'],
  ['0', 'No one'],
];

/** A level of a form; the core rejects -1, which stands for any other text. */
export const levelIn = (text: string | undefined): number => numberOf(text) ?? -1;
