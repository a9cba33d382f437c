import type { Fault } from '../kernel/fault.ts';

/** The errors of one of the forms of a members page. */
export interface Failed {
  /** The path after the address of the page to which the form was sent. */
  readonly form: string;
  readonly fault: Fault;
  /** Users whose names are like the one that was entered. */
  readonly suggestions?: readonly { readonly username: string; readonly name: string }[];
}
