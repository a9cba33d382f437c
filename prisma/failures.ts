import { ResultTooLarge } from './reading-limits.ts';
import { DatabaseUnreachable } from './watched-client.ts';

/** Failures of the database itself, as opposed to a rejected statement. */
export type DatabaseFailure =
  /** No connection, a broken one, or a server that is starting, stopping or overloaded. */
  | 'unreachable'
  /** The statement took longer than its limit and was canceled. */
  | 'slow'
  /** Its disk is full. */
  | 'full';

/**
 * Error codes of Prisma and of PostgreSQL. P2028: no transaction could be started in time, or it
 * exceeded its time limit.
 */
const unreachable =
  /^(?:P1001|P1002|P1008|P1017|P2024|P2028|P2037|08...|57P0[1-5]|53[234]00|55P03|25P0[34])$/;
const full = /^53100$/;
const slow = /^57014$/;

/** Codes after which it is unknown whether a statement, or a COMMIT, was executed. */
const unknown = /^(?:P1001|P1002|P1008|P1017|08...|57P0[1-5])$/;

/** Where an error stores its cause, depending on the layer that wrapped it. */
interface Layer {
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly originalCode?: unknown;
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

/** The codes of an error and its causes; `lost` for a lost connection. */
function* codesOf(error: unknown): Generator<string> {
  for (const layer of layersOf(error)) {
    if (layer instanceof DatabaseUnreachable) yield lost;
    const { code, originalCode } = layer as Layer;
    yield String(code);
    yield String(originalCode);
  }
}

const lost = 'lost';

/** The database failure that an error indicates; null when it concerns a statement. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  for (const code of codesOf(error)) {
    if (full.test(code)) return 'full';
    if (slow.test(code)) return 'slow';
    if (code === lost || unreachable.test(code)) return 'unreachable';
  }
  return null;
}

/**
 * Whether the failed statement may have been committed: the connection was lost before the
 * response. After any other error it certainly was not.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  for (const code of codesOf(error)) if (code === lost || unknown.test(code)) return true;
  return false;
}

/** The refusal of a result that its caller may not read, behind an error; null for another error. */
export function resultTooLarge(error: unknown): ResultTooLarge | null {
  for (const layer of layersOf(error)) if (layer instanceof ResultTooLarge) return layer;
  return null;
}
