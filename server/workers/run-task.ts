import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** What a thread runs, as data that can be copied. */
export interface TaskInput {
  /** The module that exports the work as `name`. */
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

/** An error of the task itself is data, too: every error that the thread throws is one of the thread. */
export type TaskResult =
  | { readonly output: unknown }
  | { readonly error: unknown }
  /** Why the module could not be loaded. */
  | { readonly unloaded: string };

/** Above that of the process: beside as many busy threads as processors the event loop gets three quarters of one. */
const niceness = 5;

/** On Linux each thread has a priority of its own. */
function yieldToEventLoop(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // other systems name no threads
  }
}

if (!isMainThread) yieldToEventLoop();

export async function runTask({ module, name, input }: TaskInput): Promise<TaskResult> {
  const loaded = await import(module).catch((error: unknown) => ({ unloaded: String(error) }));
  if (!(name in loaded)) return { unloaded: String(loaded.unloaded ?? name) };
  try {
    return { output: await loaded[name](input) };
  } catch (error) {
    return { error };
  }
}
