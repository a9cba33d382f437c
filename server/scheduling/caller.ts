import { AsyncLocalStorage } from 'node:async_hooks';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import { networkOf } from '../accounts/network.ts';

/** Each class of callers has a guaranteed share of the service. */
export const callerClasses = ['signed in', 'anonymous', 'background'] as const;
export type CallerClass = (typeof callerClasses)[number];

/** For whom work is done. Callers with the same key have one share together. */
export interface Caller {
  readonly class: CallerClass;
  /** A user, a network, a deploy key or a project. */
  readonly key: string;
  /** Null for an anonymous user, a deploy key and a background job. */
  readonly userId: number | null;
  /** The client's address; empty for a background job. */
  readonly address: string;
  /** The account is younger than a day, so it is counted with its network. */
  readonly isYoung: boolean;
}

/** Milliseconds. */
const youngFor = 24 * 3_600_000;

export const isYoungAccount = ({ createdAt }: Pick<Viewer, 'createdAt'>): boolean =>
  Date.now() - createdAt.getTime() < youngFor;

/** The caller of a request; `viewer` is null for an anonymous user. */
export function callerOf(viewer: Pick<Viewer, 'id' | 'createdAt'> | null, address: string): Caller {
  const network = networkOf(address);
  if (!viewer) {
    return {
      class: 'anonymous',
      key: `network ${network}`,
      userId: null,
      address,
      isYoung: false,
    };
  }
  // accounts are free: many new ones of one network count as one
  const isYoung = isYoungAccount(viewer);
  const key = isYoung ? `new accounts of ${network}` : `user ${viewer.id}`;
  return { class: 'signed in', key, userId: viewer.id, address, isYoung };
}

/** A client that has authenticated with a deploy key, which belongs to no user. */
export const deployKeyCaller = (keyId: number, address: string): Caller => ({
  class: 'signed in',
  key: `deploy key ${keyId}`,
  userId: null,
  address,
  isYoung: false,
});

/** Work of the service itself, for a project or for none. */
export const backgroundCaller = (projectId: number | null = null): Caller => ({
  class: 'background',
  key: projectId === null ? 'service' : `project ${projectId}`,
  userId: null,
  address: '',
  isYoung: false,
});

/** Mutable: a request is anonymous until its credential has been read. */
interface Scope {
  caller: Caller;
}

/**
 * The caller is ambient, as a span of a trace is: what limits work, such as the start of a git process, is far
 * below what knows the request, and work that forgot to pass a caller would be unlimited.
 */
const scopes = new AsyncLocalStorage<Scope>();

/** Runs `work`: all that it causes is work of this caller. */
export const runAs = <Result>(caller: Caller, work: () => Result): Result =>
  scopes.run({ caller }, work);

/** The caller of what runs now; null outside of requests and jobs, such as in commands. */
export const currentCaller = (): Caller | null => scopes.getStore()?.caller ?? null;

/** Replaces the anonymous caller of the current request by the user of its credential. */
export function identifyCaller(viewer: Pick<Viewer, 'id' | 'createdAt'> | null): void {
  const scope = scopes.getStore();
  if (scope) scope.caller = callerOf(viewer, scope.caller.address);
}
