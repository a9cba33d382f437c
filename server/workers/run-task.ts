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

export async function runTask({ module, name, input }: TaskInput): Promise<TaskResult> {
  const loaded = await import(module).catch((error: unknown) => ({ unloaded: String(error) }));
  if (!(name in loaded)) return { unloaded: String(loaded.unloaded ?? name) };
  try {
    return { output: await loaded[name](input) };
  } catch (error) {
    return { error };
  }
}
