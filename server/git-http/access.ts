import type { Logger } from 'pino';
import type { RefChange, RepositoryAddress } from '../../schema/ports/git/address.ts';
import type { OpenSession } from '../accounts/open-sessions.ts';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

export interface AccessRequest {
  /** The requested full path of a project or, with the suffix `.wiki`, of its wiki; without `.git`. */
  readonly path: string;
  readonly service: GitService;
  readonly credentials: BasicCredentials | null;
  /** The client's IP address. */
  readonly address: string;
}

export interface Granted {
  readonly outcome: 'granted';
  readonly repository: RepositoryAddress;
  /** Whether the repository is the project's wiki. */
  readonly isWiki: boolean;
  readonly projectId: number;
  readonly userId: number | null;
  /** By what the permission is checked again while a transfer runs. */
  readonly right?: Omit<OpenSession, 'end'>;
}

export interface Refused {
  /** The outcomes respond with 401, 403, 404 and 429 and this text. */
  readonly outcome: 'unauthenticated' | 'denied' | 'missing' | 'throttled';
  readonly text: string;
  /** Seconds until the client may retry. */
  readonly retryAfter?: number;
}

export interface PushedChange extends RefChange {
  /** A reference update; `isForced` if the old value is not an ancestor of the new one. */
  readonly isForced: boolean;
}

export interface Moved {
  readonly outcome: 'moved';
  /** The project's current path, without `.git`. */
  readonly fullPath: string;
  readonly text: string;
}

export interface Push {
  readonly isWiki: boolean;
  readonly projectId: number;
  readonly userId: number;
  /** Of a push by a deploy key. */
  readonly deployKeyId?: number | undefined;
  readonly repository: RepositoryAddress;
  readonly changes: readonly PushedChange[];
  /** The options of `git push -o`, as the client sent them. */
  readonly options: readonly string[];
}

/** A refused push, or the ledger row of an admitted one with lines that git shows to the pusher. */
export type PushVerdict =
  | { readonly refusal: string }
  | { readonly ledger: bigint; readonly warnings?: readonly string[] };

/**
 * What git over HTTP needs from the core: authorization and push rules. `coreAccess` implements it;
 * tests of the protocol have rules of their own.
 */
export interface GitAccess extends PushRules {
  /** Authenticates the client and decides what it may do. */
  authorize(request: AccessRequest): Promise<Granted | Refused | Moved>;
}

/** What a push needs from the core, whichever protocol it comes by. */
export interface PushRules {
  /**
   * Checks the push rules within the quarantine, before references are updated: a refusal's text is
   * shown to the pusher and nothing is updated. Otherwise writes the ledger row.
   */
  beforeReferencesMove(push: Push): Promise<PushVerdict>;
  /**
   * Settles the ledger row by the current references once receive-pack has exited, whatever its
   * status. The response ends afterwards, so that pushers read their own writes. Gives the lines
   * that git shows to the pusher.
   */
  afterReferencesMoved(ledger: bigint, push: Pick<Push, 'deployKeyId'>): Promise<readonly string[]>;
}

/** Logs failures. */
export type GitLog = Pick<Logger, 'error' | 'warn'>;
