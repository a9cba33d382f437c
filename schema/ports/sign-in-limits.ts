/** An attempt to guess a secret, and its source. */
export interface SignInAttempt {
  /**
   * - `password`: limited by address, and by account and address together. Failures from many
   * addresses slow an account down for addresses from which it did not recently sign in.
   * - `code` of a second factor, requested after the right password: limited by account and by
   * address. A network from which the user recently signed in has its own count, so that an
   * attacker who knows the password does not lock the user out.
   * - `token`: a password that has the form of a token, from a program that may repeat a revoked one.
   * Limited by address as wrong tokens are: it locks no account.
   * - `key`: long and random. Limited by address; a valid key is always accepted, so that it cannot
   * be locked out.
   */
  readonly kind: 'password' | 'token' | 'code' | 'key';
  readonly account: string;
  /** The owner of the password or code, if a user has this name. */
  readonly userId?: number | null | undefined;
  /** The client's IP address. */
  readonly address: string;
  /** Verified by another server, which may be slow: it must not delay other attempts. */
  readonly isAskedElsewhere?: boolean;
}

/** The account that a login belongs to. */
export type AccountOwner = Pick<SignInAttempt, 'account' | 'userId'>;

/**
 * Checks a guess. A check that finds out itself which account the login belongs to calls
 * `countFor` before it compares the secret, and fails if that returns false: the account allows no
 * further attempt.
 */
export type CheckGuess = (countFor: (owner: AccountOwner) => Promise<boolean>) => Promise<boolean>;

export type Verdict =
  | { readonly isRight: boolean; readonly retryAfter?: undefined }
  /** Not checked: seconds until the next attempt is allowed. */
  | { readonly retryAfter: number };

/** Limits failed sign-ins across all processes. */
export interface SignInLimits {
  /**
   * Runs `check` for one attempt, unless there were too many. A password or code is counted
   * before it is checked, so that concurrent guesses all count; if it is right, its count is reset
   * and the address gets the attempt back.
   */
  judge(attempt: SignInAttempt, check: CheckGuess): Promise<Verdict>;
  /** Records that a user signed in from this address. */
  remember(userId: number, address: string): Promise<void>;
  /**
   * Counts a wrong token against an address; returns the seconds to wait after too many, else 0.
   */
  countWrongToken(address: string): Promise<number>;
  /** Counts a sign-up from an address; returns the seconds to wait after too many, else 0. */
  waitToSignUp(address: string): Promise<number>;
}
