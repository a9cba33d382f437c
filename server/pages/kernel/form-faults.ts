import type { FieldErrors } from '../../../schema/client/execute.ts';

/** The errors of one field as a sentence about `subject`; null without errors. */
export function faultText(faults: FieldErrors, field: string, subject: string): string | null {
  const texts = faults[field] ?? [];
  if (texts.length === 0) return null;
  const sentence = `${subject} ${texts.join(', ')}`;
  // some messages of the core end with a full stop
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
