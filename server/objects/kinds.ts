/** The kinds of stored objects: what their keys begin with, followed by a slash. */
export const objectKinds = ['uploads', 'artifacts', 'traces', 'lfs'] as const;

export type ObjectKind = (typeof objectKinds)[number];
