/** Access levels as REST numbers them; `owner` exists in groups only (v4-behaviour 1.10). */
export const Access = {
  none: 0,
  guest: 10,
  reporter: 20,
  developer: 30,
  master: 40,
  owner: 50,
} as const;

export type Access = (typeof Access)[keyof typeof Access];

/**
 * Public records are visible to everyone, internal ones to signed-in users, private ones to
 * members.
 */
export type Visibility = 'private' | 'internal' | 'public';

export const visibilities = ['private', 'internal', 'public'] as const;

const openness: Record<Visibility, number> = { private: 0, internal: 10, public: 20 };

/** Whether visibility `a` includes more users than `b`. */
export const isWider = (a: Visibility, b: Visibility) => openness[a] > openness[b];

/** The visibility that includes fewer users. */
export const narrower = (a: Visibility, b: Visibility): Visibility => (isWider(a, b) ? b : a);
