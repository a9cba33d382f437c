/** A guess at something secret, and from where. */
export interface SignInAttempt {
  /**
   * - `password`: limited by address, and by account and address together. Failures from many
   *   addresses slow an account down for addresses from which it did not sign in of late.
   * - `code` of a second factor, asked for after the right password: limited by account and address.
   * - `key`: long and random. Limited by address, and a right one is always good, so that it cannot
   *   be locked out.
   */
  readonly kind: 'password' | 'code' | 'key';
  readonly account: string;
  /** Whose password it is, if a user has this name. */
  readonly userId?: number | null | undefined;
  /** An address of the internet protocol. */
  readonly address: string;
  /** Another server is asked, which may be slow: it must not hold up those who need none. */
  readonly isAskedElsewhere?: boolean;
}

export type Verdict =
  | { readonly isRight: boolean; readonly retryAfter?: undefined }
  /** Not judged: seconds until the next attempt may be. */
  | { readonly retryAfter: number };

/** Counts failed sign-ins across all processes. */
export interface SignInLimits {
  /**
   * Has one attempt judged, unless there were too many. A password or code is counted before it is
   * judged, so that guesses side by side all count; if it is right, its count starts anew and the
   * address gets the attempt back.
   */
  judge(attempt: SignInAttempt, isRight: () => Promise<boolean>): Promise<Verdict>;
  /** Notes that a user signed in from this address. */
  remember(userId: number, address: string): Promise<void>;
  /** Counts a wrong token against an address; seconds to wait when there were too many, else 0. */
  countWrongToken(address: string): Promise<number>;
  /** Counts an attempt to sign up from an address; seconds to wait when there were too many, else 0. */
  waitToSignUp(address: string): Promise<number>;
}
