/** Whose password is tried, and from where. */
export interface SignInAttempt {
  readonly account: string;
  /** An address of the internet protocol. */
  readonly address: string;
  /** Another server is asked, which may be slow: it must not hold up those who need none. */
  readonly isAskedElsewhere?: boolean;
  /** A key is tried and not a password, which takes no time: many may wait their turn. */
  readonly isKey?: boolean;
}

export type Verdict =
  | { readonly isRight: boolean; readonly retryAfter?: undefined }
  /** Not judged: seconds until the next attempt may be. */
  | { readonly retryAfter: number };

/** Counts failed sign-ins per account and per address, across all processes. */
export interface SignInLimits {
  /**
   * Has one attempt judged, unless there were too many. It is counted before it is judged, so that
   * guesses side by side all count; if it is right the account starts anew, and the address gets it
   * back.
   */
  judge(attempt: SignInAttempt, isRight: () => Promise<boolean>): Promise<Verdict>;
  /** Counts an attempt to sign up from an address; seconds to wait when there were too many, else 0. */
  waitToSignUp(address: string): Promise<number>;
}
