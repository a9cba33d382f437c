/**
 * A pure function on text from outside whose time or memory may grow faster than its input. It runs in
 * a worker thread, so input and output are data that can be copied, and problems are part of the output:
 * a thread cannot throw an error of the core.
 */
export interface WorkerTask<Input, Output> {
  /** The label of this task in metrics and logs, e.g. `ci-file`. */
  readonly kind: string;
  /** The noun at the start of error messages, e.g. `The CI file`. */
  readonly subject: string;
  /**
   * `import.meta.url` of the module that exports `work` under its own name. It should have few
   * imports.
   */
  readonly module: string;
  readonly work: (input: Input) => Output;
  /** Milliseconds that one run may take. */
  readonly timeLimit: number;
  /** Whether `work` is certain to take less than a few milliseconds: it then runs without a thread. */
  readonly isSmall?: (input: Input) => boolean;
  /** Characters of an output; if given, outputs are kept, and equal inputs wait for one run. */
  readonly sizeOf?: (output: Output) => number;
}

/** The user, the project or the address of an anonymous user whose share of the pool a task uses. */
export type TaskCaller = (
  | { readonly userId: number }
  | { readonly projectId: number }
  | { readonly address: string }
) & {
  /** Ends the task when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
};

export interface WorkerPool {
  /**
   * Runs a task with its limits. Throws `unavailable` when the pool or the caller's share of it is full,
   * and `tooCostly` when the task exceeds its time or the memory of a thread.
   */
  run<Input, Output>(
    task: WorkerTask<Input, Output>,
    input: Input,
    caller: TaskCaller,
  ): Promise<Output>;
}
