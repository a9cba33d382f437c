import type { RefChange, RepositoryAddress } from '../../schema/ports/git/address.ts';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

export interface AccessRequest {
  /** The full path of a project or, ending in `.wiki`, of its wiki, as asked for, without `.git`. */
  readonly path: string;
  readonly service: GitService;
  readonly credentials: BasicCredentials | null;
  /** The caller's. */
  readonly address: string;
}

export interface Granted {
  readonly outcome: 'granted';
  readonly repository: RepositoryAddress;
  /** The repository is the project's wiki. */
  readonly isWiki: boolean;
  readonly projectId: number;
  readonly userId: number | null;
}

export interface Refused {
  /** 401, 403, 404 and 429 on the wire, with this text. */
  readonly outcome: 'unauthenticated' | 'denied' | 'missing' | 'throttled';
  readonly text: string;
  /** Seconds until it may be tried again. */
  readonly retryAfter?: number;
}

export interface PushedChange extends RefChange {
  /** A branch or tag that moves to something its old value is no ancestor of. */
  readonly isForced: boolean;
}

export interface Moved {
  readonly outcome: 'moved';
  /** Where the project is now, without `.git`. */
  readonly fullPath: string;
  readonly text: string;
}

export interface Push {
  readonly isWiki: boolean;
  readonly projectId: number;
  readonly userId: number;
  readonly repository: RepositoryAddress;
  readonly changes: readonly PushedChange[];
}

/** What git over HTTP asks of the core: who may come in, and the rules on a push. */
export interface GitAccess {
  /** Decides who is pushing or fetching and what they may do; speaks only in outcomes. */
  authorize(request: AccessRequest): Promise<Granted | Refused | Moved>;
  /**
   * The rules on a push, asked within the quarantine before references move: a refusal's text
   * reaches the pusher and nothing moves. Otherwise the ledger row is written here, except for a
   * wiki, after a push to which there is nothing to settle.
   */
  beforeReferencesMove(
    push: Push,
  ): Promise<{ readonly refusal: string } | { readonly ledger: bigint | null }>;
  /**
   * After receive-pack has ended, however it ended: settles the ledger row by what the references
   * are now. The answer ends after it, so that pushers read their own writes.
   */
  afterReferencesMoved(ledger: bigint): Promise<void>;
}

/** Where failures are told; a pino logger fits. */
export interface GitLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}
