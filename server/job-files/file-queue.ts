/** Serializes work on the same file within this process. */
type FileQueue = <T>(path: string, work: () => Promise<T>) => Promise<T>;

export function fileQueue(): FileQueue {
  const last = new Map<string, Promise<unknown>>();
  return (path, work) => {
    const turn = (last.get(path) ?? Promise.resolve()).then(work, work);
    last.set(path, turn);
    const remove = () => {
      if (last.get(path) === turn) last.delete(path);
    };
    turn.then(remove, remove);
    return turn;
  };
}
