import type { FieldErrors } from '../../schema/client/execute.ts';

/** All that was wrong with one field as a sentence about `subject`; null when nothing was. */
export function faultText(faults: FieldErrors, field: string, subject: string): string | null {
  const texts = faults[field] ?? [];
  return texts.length === 0 ? null : `${subject} ${texts.join(', ')}.`;
}
