const { useSyncExternalStore } = globalThis.React;

/**
 * The access token, kept in memory only and deleted by a reload, and what is known about the
 * current user: `loading`, `anonymous`, `signed in` or `rejected` (an invalid token).
 */
let session = { token: '', status: 'loading', username: '' };
const listeners = new Set();

export const currentSession = () => session;

export function updateSession(changes) {
  session = { ...session, ...changes };
  for (const listener of listeners) listener();
}

function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = () => useSyncExternalStore(subscribe, currentSession);

/** How requests authenticate: by the token if there is one, otherwise by the browser session. */
export const credentials = () =>
  session.token
    ? { credentials: 'omit', headers: { 'PRIVATE-TOKEN': session.token } }
    : { credentials: 'same-origin', headers: {} };
