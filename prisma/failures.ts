import { ResultTooLarge } from './reading-limits.ts';
import { type DatabaseFailure, failureOfState } from './sql-states.ts';
import { DatabaseUnreachable } from './watched-client.ts';

export type { DatabaseFailure };

/**
 * Prisma's own codes, for errors without an SQLSTATE. P1…: connecting. P2024, P2037: no connection is free. P2028: no
 * transaction could be started in time, or it exceeded its time limit. P2034: a lost conflict. All others concern a
 * statement, or wrap an error that has an SQLSTATE.
 */
const prismaFailures: readonly (readonly [RegExp, DatabaseFailure])[] = [
  [/^P1\d{3}$|^P20(?:24|28|37)$/, 'unreachable'],
  [/^P2034$/, 'busy'],
];

/** Codes after which it is unknown whether a statement, or a COMMIT, was executed. */
const unknown = /^(?:P1001|P1002|P1008|P1017|08...|40003|57P0[1-5])$/;

/** Codes of transactions that lost a conflict with others and can be repeated. */
const conflict = /^(?:P2034|40...)$/;

/** Where an error stores its cause, depending on the layer that wrapped it. */
interface Layer {
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly originalCode?: unknown;
  /** PostgreSQL's, which its errors alone have: codes of the operating system, such as EROFS, have five letters, too. */
  readonly severity?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

/** An error and its causes. */
function* layersOf(error: unknown): Generator<object> {
  let layer: unknown = error;
  for (let depth = 0; depth < 8 && typeof layer === 'object' && layer !== null; depth += 1) {
    yield layer;
    const { cause, meta } = layer as Layer;
    layer = cause ?? meta?.driverAdapterError;
  }
}

interface Code {
  readonly code: string;
  /** Whether it is an SQLSTATE, the answer of PostgreSQL itself. */
  readonly isState?: true;
  readonly failure: DatabaseFailure | null;
}

/** The codes of an error and its causes; `lost` for a lost connection. */
function* codesOf(error: unknown): Generator<Code> {
  for (const layer of layersOf(error)) {
    if (layer instanceof DatabaseUnreachable) yield { code: lost, failure: 'unreachable' };
    const { code, originalCode, severity } = layer as Layer;
    const state = originalCode ?? (severity === undefined ? undefined : code);
    if (typeof state === 'string')
      yield { code: state, isState: true, failure: failureOfState(state) };
    else if (typeof code === 'string') yield { code, failure: prismaFailure(code) };
  }
}

const prismaFailure = (code: string): DatabaseFailure | null =>
  prismaFailures.find(([codes]) => codes.test(code))?.[1] ?? null;

const lost = 'lost';

/** The SQLSTATE behind an error; null if it has none. */
export function sqlStateOf(error: unknown): string | null {
  for (const { code, isState } of codesOf(error)) if (isState) return code;
  return null;
}

/** The database failure that an error indicates; null when it concerns a statement. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  for (const { failure } of codesOf(error)) if (failure !== null) return failure;
  return null;
}

/**
 * Whether the failed statement may have been committed: the connection was lost before the
 * response. After any other error it certainly was not.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  for (const { code } of codesOf(error)) if (code === lost || unknown.test(code)) return true;
  return false;
}

/** Whether the transaction lost a conflict with others, such as a deadlock. */
export function isConflict(error: unknown): boolean {
  for (const { code } of codesOf(error)) if (conflict.test(code)) return true;
  return false;
}

/** The refusal of a result that its caller may not read, behind an error; null for another error. */
export function resultTooLarge(error: unknown): ResultTooLarge | null {
  for (const layer of layersOf(error)) if (layer instanceof ResultTooLarge) return layer;
  return null;
}
