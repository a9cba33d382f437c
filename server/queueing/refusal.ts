/** Why an entry was not admitted. */
export class QueueRefusal extends Error {
  /** Whether the caller's own limit was reached, rather than the total. */
  readonly isCallerFull: boolean;

  constructor(message: string, isCallerFull = false) {
    super(message);
    this.isCallerFull = isCallerFull;
  }
}
