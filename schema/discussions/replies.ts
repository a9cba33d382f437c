interface Written {
  readonly id: number;
  readonly createdAt: Date;
}

/** The notes by the time of their creation, which imports set. */
export const inOrder = <Note extends Written>(notes: readonly Note[]): Note[] =>
  notes.toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.id - other.id,
  );
