import { isPenalised } from './penalties.ts';
import { currentCaller, currentTurn } from './scope.ts';

/** How far a process gives way to others, above the niceness of its parent: 0 to 19. */
export interface Niceness {
  readonly first: number;
  /** From its second second on. */
  readonly later: number;
}

/** Work that takes long gives way to work that does not. */
const usual: Niceness = { first: 0, later: 10 };
const gentle: Niceness = { first: 10, later: 15 };

/**
 * How far a process of the current caller gives way to others: that of an anonymous caller, or of one whose
 * work exceeded a limit, from its start. Null for work without a turn, unless it `isHeavy`.
 */
export function currentNiceness(isHeavy: boolean): Niceness | null {
  const caller = currentTurn()?.caller ?? (isHeavy ? currentCaller() : null);
  if (!caller) return null;
  return caller.class === 'anonymous' || isPenalised(caller) ? gentle : usual;
}
