/** A user in the directory. */
export interface DirectoryPerson {
  /** The distinguished name, as the directory spells it. */
  readonly dn: string;
  readonly username: string;
  readonly name: string;
  readonly email: string;
}

/** The configured directory server (LDAP), queried anew for each call. */
export interface Directory {
  /**
   * The user with this login or e-mail and password; null also if the server is not available.
   * Directories accept many spellings of a login: `admits` is called with the distinguished name of
   * the user found, and the password is checked only if it returns true.
   */
  authenticate(
    login: string,
    password: string,
    admits?: (dn: string) => Promise<boolean>,
  ): Promise<DirectoryPerson | null>;
  /**
   * Whether the password is that of the user with this distinguished name; false also if the server
   * is not available.
   */
  isPasswordOf(dn: string, password: string): Promise<boolean>;
  /**
   * The e-mail address of the user with this distinguished name; empty if there is none, and if the server
   * is not available.
   */
  addressOf(dn: string): Promise<string>;
  /** Whether the distinguished name still exists. Throws if the server is not available. */
  knows(dn: string): Promise<boolean>;
}
