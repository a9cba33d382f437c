import { pathToFileURL } from 'node:url';

/** What a thread runs: a function that a module exports. */
export interface ThreadTask {
  /** Null once the caller has been refused. */
  filename: string | null;
  readonly name: string;
  readonly input: unknown;
}

type TaskModule = Readonly<Record<string, (input: unknown) => unknown>>;

/** Runs in a thread. */
export async function runTask({ filename, name, input }: ThreadTask): Promise<unknown> {
  if (filename === null) return null;
  const module = (await import(pathToFileURL(filename).href)) as TaskModule;
  return module[name]?.(input);
}
