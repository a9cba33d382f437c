import type { FieldErrors } from '../../../schema/client/execute.ts';

/** The errors of one field as a sentence about `subject`; null without errors. */
export function faultText(faults: FieldErrors, field: string, subject: string): string | null {
  const texts = faults[field] ?? [];
  return texts.length === 0 ? null : `${subject} ${texts.join(', ').replace(/\.$/, '')}.`;
}
