import type { Fault } from './fault.ts';
import { otherFaults } from './forms.ts';
import type { Html } from './html.ts';
import { alert } from './parts.ts';

/** The errors of a form as a whole, and those of fields that are not among its `shown` ones. */
export function formAlert(fault: Fault | null, shown: readonly string[] = []): Html | null {
  const texts = fault ? [fault.text, otherFaults(fault.fields, shown)] : [];
  return alert(texts.filter(Boolean).join(' ') || null);
}
