/** The options of a push (`git push -o`), checked; JSON, because the ledger keeps them. */
export interface PushOptions {
  /** The push gets no pipelines. */
  readonly skipsCi?: true;
  /** The encrypted variables of its pipelines. */
  readonly sealedVariables?: string;
  /**
   * What to do with the merge requests of the pushed branches: the options that begin with
   * `merge_request.`, as the client wrote them.
   */
  readonly mergeRequest?: readonly string[];
}
