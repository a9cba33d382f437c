/** The memory of who is who; every process has one, emptied by the database's notifications. */
export interface Viewers {
  /** Forgets a person at once in this process, so that the next request sees what was just done. */
  forget(userId: number): void;
  /** Forgets everybody, for what concerns more people than can be named. */
  forgetAll(): void;
}
