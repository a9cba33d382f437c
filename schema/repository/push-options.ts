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

/** The options that the ledger keeps with the first change of a push; malformed ones have no effect. */
export function optionsOf([first]: readonly { readonly options?: PushOptions }[]): PushOptions {
  const { skipsCi, sealedVariables, mergeRequest } = Object(first?.options) as PushOptions;
  const texts = Array.isArray(mergeRequest) ? mergeRequest : [];
  return {
    ...(skipsCi === true && { skipsCi }),
    ...(typeof sealedVariables === 'string' && { sealedVariables }),
    mergeRequest: texts.filter((text) => typeof text === 'string'),
  };
}
