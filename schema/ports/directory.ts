/** Somebody whom the directory server knows. */
export interface DirectoryPerson {
  /** The distinguished name, as the directory writes it. */
  readonly dn: string;
  readonly username: string;
  readonly name: string;
  readonly email: string;
}

/** The directory server (LDAP) an operator named, asked anew each time. */
export interface Directory {
  /**
   * Who signs in there with this name or e-mail and password; null, too, when it cannot be asked.
   */
  authenticate(login: string, password: string): Promise<DirectoryPerson | null>;
  /** Whether this is the password of somebody, by distinguished name; not when it cannot be asked. */
  isPasswordOf(dn: string, password: string): Promise<boolean>;
  /** Whether somebody is still there, by distinguished name. Throws when it cannot be asked. */
  knows(dn: string): Promise<boolean>;
}
