import { AsyncLocalStorage } from 'node:async_hooks';
import { backgroundCaller, type Caller, callerOf } from './caller.ts';

/** A turn of heavy work that runs now. */
export interface Turn {
  /** Whose share it uses. */
  readonly caller: Caller;
  /** Work that it started may still run. */
  isOver: boolean;
}

interface Scope {
  /** Mutable: a request is anonymous until its credential has been read. */
  caller: Caller | null;
  readonly shared: SharedCallers | null;
  readonly turn: Turn | null;
}

/**
 * The caller is ambient, as a span of a trace is (ADR 63): what limits work, such as the start of a git
 * process, is far below what knows the request, and work whose caller somebody forgot to pass would be
 * unlimited.
 */
const scopes = new AsyncLocalStorage<Scope>();

/** Runs `work`: all that it causes is work of this caller. */
export const runAs = <Result>(caller: Caller, work: () => Result): Result =>
  scopes.run({ caller, shared: null, turn: null }, work);

/** Runs short work that decides who the caller is: it must not wait for other anonymous users of the network. */
export const runWithoutCaller = <Result>(work: () => Result): Result =>
  scopes.run({ caller: null, shared: null, turn: null }, work);

/** The caller of what runs now; null outside of requests and jobs, such as at the start. */
export const currentCaller = (): Caller | null => scopes.getStore()?.caller ?? null;

/**
 * Gives the caller of the current request at any time, also where something else runs: it changes when the credential
 * has been read. What is outside of requests is work of the service.
 */
export function watchCaller(): () => Caller {
  const scope = scopes.getStore();
  return () => scope?.caller ?? service;
}

const service = backgroundCaller();

/** Replaces the anonymous caller of the current request by the user of its credential. */
export function identifyCaller(viewer: Parameters<typeof callerOf>[0]): void {
  const scope = scopes.getStore();
  if (scope?.caller) scope.caller = callerOf(viewer, scope.caller.address);
}

/** Runs the work of a turn. */
export const runInTurn = <Result>(turn: Turn, work: () => Result): Result =>
  scopes.run({ caller: turn.caller, shared: null, turn }, work);

/** The turn to which what runs now belongs; null if there is none, or it has ended. */
export function currentTurn(): Turn | null {
  const turn = scopes.getStore()?.turn ?? null;
  return turn?.isOver ? null : turn;
}

/**
 * The callers that wait for the same result. Its work starts by the turn of the first of them that gets one, so
 * that nobody waits for the turn of a caller with many entries.
 */
export class SharedCallers {
  /** Aborted when no caller waits for the result any more. */
  readonly signal: AbortSignal | null;
  readonly #callers = new Map<string, Caller>();
  readonly #listeners = new Set<(caller: Caller) => void>();

  constructor(signal: AbortSignal | null = null) {
    this.signal = signal;
    this.join();
  }

  /** The callers of what runs now; null if it is the work of one. */
  static get current(): SharedCallers | null {
    return scopes.getStore()?.shared ?? null;
  }

  get all(): readonly Caller[] {
    return [...this.#callers.values()];
  }

  /** Adds the current caller. */
  join(): void {
    const caller = currentCaller();
    if (!caller) return;
    const key = `${caller.class} ${caller.key}`;
    if (this.#callers.has(key)) return;
    this.#callers.set(key, caller);
    for (const listener of this.#listeners) listener(caller);
  }

  onJoin(listener: (caller: Caller) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs the work whose result they wait for. */
  run<Result>(work: () => Result): Result {
    const { caller = null, turn = null } = scopes.getStore() ?? {};
    return scopes.run({ caller, shared: this, turn }, work);
  }
}
