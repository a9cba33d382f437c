import type { Fault } from '../kernel/fault.ts';
import type { Html } from '../kernel/html.ts';

/** The result of one of the forms of a page: its errors, or a secret that is shown once. */
export interface FormOutcome {
  /** The address of the form below that of the page. */
  readonly form?: string;
  readonly fault?: Fault;
  readonly shown?: Html;
}

/** The errors of the form at this address; null without any. */
export const faultIn = ({ form, fault }: FormOutcome, address: string): Fault | null =>
  (form === address && fault) || null;
