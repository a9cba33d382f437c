/** Failures of the database itself, as opposed to an answer about a statement. */
export type DatabaseFailure =
  /** No connection, a broken or rejected one, or a server that is starting, stopping or overloaded. */
  | 'unreachable'
  /** It can be read and not written: a standby after a failover, or a setting. */
  | 'read-only'
  /** The statement took longer than its limit and was canceled. */
  | 'slow'
  /** Its disk is full. */
  | 'full'
  /** The statement lost against concurrent ones, also when it was repeated. */
  | 'busy'
  /** It cannot do what its tables and the statement would allow: damage, an I/O error, a limit, an internal error. */
  | 'failed';

/**
 * The failure behind an SQLSTATE, by the code or else by its class, the first two characters. A code that is not
 * listed is a failure, too: what a fault of the machine is called is not ours to know. Null are the answers about the
 * statement and its values. Rules of the core map those that a caller causes (unique values, missing records); any
 * other is a defect of ours, which no retry heals, and stays an unexpected error (500).
 */
const failures: Readonly<Record<string, DatabaseFailure | null>> = {
  // connection exception
  '08': 'unreachable',
  // a statement or its values
  '20': null,
  '21': null,
  '22': null,
  '23': null,
  '24': null,
  '25': null,
  '25006': 'read-only',
  // the session was idle in a transaction, or a transaction was open, for too long
  '25P03': 'unreachable',
  '25P04': 'unreachable',
  '27': null,
  // the account is rejected, or the database is missing: a changed password, an unfinished restore
  '28': 'unreachable',
  '34': null,
  '3B': null,
  '3D': 'unreachable',
  // a conflict with other transactions, or with replication on a standby
  '40': 'busy',
  // undefined tables and columns, syntax errors
  '42': null,
  // no permission of the account, or of PostgreSQL in its own folder: it reports EROFS and EACCES by this code
  '42501': 'failed',
  '44': null,
  // insufficient resources: memory, connections, files
  '53': 'unreachable',
  '53100': 'full',
  '55006': 'busy',
  '55P03': 'busy',
  // the server stops or starts; a session is ended
  '57': 'unreachable',
  '57014': 'slow',
  // raised by functions of the schema
  P0: null,
};

/** The failure of the database that an SQLSTATE stands for; null for an answer about the statement. */
export function failureOfState(state: string): DatabaseFailure | null {
  const byCode = failures[state];
  if (byCode !== undefined) return byCode;
  const byClass = failures[state.slice(0, 2)];
  return byClass === undefined ? 'failed' : byClass;
}

/**
 * Whether another connection may do better: this one leads to a standby, or its session is at fault (a plan that
 * does not fit a changed table, a lost prepared statement).
 */
export function isConnectionAtFault(state: string): boolean {
  const failure = failureOfState(state);
  return failure === 'read-only' || failure === 'unreachable' || failure === 'failed';
}
