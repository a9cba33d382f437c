import { readFileSync } from 'node:fs';

/** States of Linux in which a process works: it runs, or waits for a disk. */
const workingStates: ReadonlySet<string> = new Set(['R', 'D']);

/**
 * Tells at each call whether a process or a child of it has worked since the last call, rather than waited
 * for input or for its output to be read. Always false where the system has no `/proc`.
 */
export function activityOf(pid: number): () => boolean {
  let used = '';
  return () => {
    const processes = [...familyOf(pid)].map(readState);
    const before = used;
    used = processes.map(({ time }) => time).join(' ');
    return used !== before || processes.some(({ state }) => workingStates.has(state));
  };
}

function* familyOf(pid: number): Generator<number> {
  yield pid;
  const children = readProc(`${pid}/task/${pid}/children`).trim();
  for (const child of children === '' ? [] : children.split(' ')) yield* familyOf(Number(child));
}

/** The state of a process, and its processor time with that of its former children. */
function readState(pid: number) {
  const text = readProc(`${pid}/stat`);
  // the name before it may have any characters
  const [state = '', ...numbers] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, time: numbers.slice(10, 14).join('+') };
}

/** Reads a file of `/proc`, which waits for no disk; empty if the process has exited. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
