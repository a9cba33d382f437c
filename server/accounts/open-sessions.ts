/** Milliseconds until the first check: permissions may have changed between the authorization and the registration. */
const firstCheckMs = 1_000;

/** The longest time of a timer. */
const longestTimer = 2 ** 31 - 1;

/** Sessions that are checked at the same time. */
const checkers = 4;

/** The id that stands for no user, in sessions of deploy keys and of applications. */
export const noUser = 0;

/** A permission that holds now. */
export interface Permission {
  /** When it ends by itself, with a key, a token or a membership; null: never. */
  readonly validUntil: Date | null;
}

/** What a credential has opened: a transfer, a connection, a subscription. */
export interface OpenSession {
  /** The users on whom the permission depends; `noUser` for a credential without a user. */
  readonly userIds: readonly number[];
  /** The project on whose settings it depends. */
  readonly projectId?: number | undefined;
  /** The permission as it is now; null: the credential or the permission has ended. */
  readonly check: () => Promise<Permission | null>;
  readonly end: () => void;
}

interface Watched extends OpenSession {
  timer: NodeJS.Timeout | undefined;
}

export type OpenSessions = ReturnType<typeof openSessions>;

/**
 * The open sessions of this process. Each is checked again when the database notifies of a change that may
 * concern it, when its permission expires, and every `checkMs` milliseconds; it is ended with its credential or
 * permission.
 */
export function openSessions(checkMs: number) {
  const sessions = new Set<Watched>();
  const due = new Set<Watched>();
  /** Those that a change of their own user or project concerns: checked before the others. */
  const urgent = new Set<Watched>();
  let checking = 0;

  const schedule = (session: Watched, time: number) => {
    clearTimeout(session.timer);
    session.timer = setTimeout(() => check(session), Math.min(Math.max(time, 0), longestTimer));
    session.timer.unref();
  };
  const remove = (session: Watched) => {
    clearTimeout(session.timer);
    sessions.delete(session);
    due.delete(session);
    urgent.delete(session);
  };
  const checkNow = async (session: Watched) => {
    // during an outage the session stays until the next check
    const permission = await session.check().catch(() => ({ validUntil: null }));
    if (!sessions.has(session)) return;
    if (!permission) {
      remove(session);
      session.end();
    } else if (permission.validUntil) {
      schedule(session, permission.validUntil.getTime() - Date.now());
    }
  };
  const takeNext = (): Watched | undefined => {
    const [next] = urgent.size > 0 ? urgent : due;
    if (next) {
      urgent.delete(next);
      due.delete(next);
    }
    return next;
  };
  const checkWaiting = async () => {
    checking += 1;
    for (let next = takeNext(); next; next = takeNext()) await checkNow(next);
    checking -= 1;
  };
  const startChecks = () => {
    for (let free = checkers - checking; free > 0; free -= 1) void checkWaiting();
  };
  const check = (session: Watched) => {
    due.add(session);
    startChecks();
  };
  const checkAll = (waiting: Set<Watched>, isAffected: (session: Watched) => boolean) => {
    for (const session of sessions) if (isAffected(session)) waiting.add(session);
    startChecks();
  };
  const interval = setInterval(() => checkAll(due, () => true), checkMs);
  interval.unref();

  return {
    /** Checks a session until the result is called, or the session was ended. */
    watch: (session: OpenSession): (() => void) => {
      const watched: Watched = { ...session, timer: undefined };
      sessions.add(watched);
      schedule(watched, firstCheckMs);
      return () => remove(watched);
    },
    /** Handles a notification of changed users: an id, `*` for all, '' for credentials without a user. */
    viewersChanged: (payload: string): void => {
      const userId = payload === '' ? noUser : Number(payload);
      if (payload === '*') checkAll(due, () => true);
      else checkAll(urgent, ({ userIds }) => userIds.includes(userId));
    },
    /** Handles a notification of a changed project: its id. */
    projectChanged: (payload: string): void => {
      const projectId = Number(payload);
      checkAll(urgent, (session) => session.projectId === projectId);
    },
    stop: (): void => {
      clearInterval(interval);
      for (const session of sessions) remove(session);
    },
  };
}
