import type { Fault } from './fault.ts';
import { otherFaults } from './forms.ts';
import type { Html } from './html.ts';
import { alert } from './parts.ts';

/** The errors of a form, except those that the fields in `shown` have beside them. */
export const faultAlert = (
  fault: Fault | null | undefined,
  shown: readonly string[] = [],
): Html | null => (fault ? alert(fault.text ?? otherFaults(fault.fields, shown)) : null);
