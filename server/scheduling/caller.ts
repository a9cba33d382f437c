import type { Viewer } from '../../schema/kernel/viewer.ts';
import { networkOf } from './network.ts';

/**
 * Each class of callers has a guaranteed share of the service. Accounts younger than a day are a class of their
 * own: as many as a client wants to have leave the share of the others.
 */
export const callerClasses = ['signed in', 'new account', 'anonymous', 'background'] as const;
export type CallerClass = (typeof callerClasses)[number];

/** For whom work is done. Callers of a class with the same key have one share together. */
export interface Caller {
  readonly class: CallerClass;
  /** A user, a network, a deploy key or a project. */
  readonly key: string;
  /** Null for an anonymous user, a deploy key and a background job. */
  readonly userId: number | null;
  /** The client's address; empty for a background job. */
  readonly address: string;
}

/** Milliseconds. */
const youngFor = 24 * 3_600_000;

export const isYoungAccount = ({ createdAt }: Pick<Viewer, 'createdAt'>): boolean =>
  Date.now() - createdAt.getTime() < youngFor;

/** The caller of a request; `viewer` is null for an anonymous user. */
export function callerOf(viewer: Pick<Viewer, 'id' | 'createdAt'> | null, address: string): Caller {
  if (viewer && !isYoungAccount(viewer))
    return { class: 'signed in', key: `user ${viewer.id}`, userId: viewer.id, address };
  // accounts are free: many new ones of one network count as one
  const key = `network ${networkOf(address)}`;
  return viewer
    ? { class: 'new account', key, userId: viewer.id, address }
    : { class: 'anonymous', key, userId: null, address };
}

/** A client that has authenticated with a deploy key, which belongs to no user. */
export const deployKeyCaller = (keyId: number, address: string): Caller => ({
  class: 'signed in',
  key: `deploy key ${keyId}`,
  userId: null,
  address,
});

/** Work of the service itself, for who caused it if that is known, for a project, or for none. */
export const backgroundCaller = (
  project: number | string | null = null,
  owner: string | null = null,
): Caller => ({
  class: 'background',
  key: owner ?? (project === null ? 'service' : `project ${project}`),
  userId: null,
  address: '',
});
