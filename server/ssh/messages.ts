import type { SshLimits } from './limits.ts';

/** Git's programs that clients of SSH may run. */
export const sshServices = ['git-upload-pack', 'git-receive-pack', 'git-upload-archive'] as const;

export type SshService = (typeof sshServices)[number];

/** A client that was authenticated by a key. */
export interface Identity {
  readonly keyId: number;
  /** Null: a deploy key. */
  readonly userId: number | null;
  /** How the client is greeted: the username, or the title of the deploy key. */
  readonly name: string;
}

/** What the SSH process asks the server, by name. */
export interface Questions {
  readonly identify: {
    /** SHA-256 of the key, as Base64. */
    readonly ask: { readonly fingerprint: string };
    /** Null: no user or project has the key. */
    readonly answer: Identity | 'unavailable' | null;
  };
  readonly open: {
    readonly ask: {
      readonly identity: Identity;
      readonly address: string;
      readonly service: SshService;
      readonly path: string;
      readonly protocol: string | null;
    };
    readonly answer: Opened | { readonly refusal: string };
  };
  /** The text that `git-lfs-authenticate` prints. */
  readonly lfs: {
    readonly ask: {
      readonly identity: Identity;
      readonly path: string;
      readonly operation: 'download' | 'upload';
    };
    readonly answer: { readonly text: string } | { readonly refusal: string };
  };
  /**
   * A push whose client is silent waits without a place among the running commands, and needs one to go on;
   * the refusal is for the client.
   */
  readonly silence: {
    readonly ask: { readonly session: string; readonly isSilent: boolean };
    readonly answer: { readonly refusal: string | null };
  };
  /**
   * Git has exited: resolves once the push is settled, so that pushers read their own writes, with
   * the lines that git shows to the pusher.
   */
  readonly close: {
    readonly ask: { readonly session: string };
    readonly answer: readonly string[];
  };
}

/** A permitted command: the git process to start. */
export interface Opened {
  readonly session: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The socket for the hook's conversation; null: it is no push. */
  readonly hookSocket: string | null;
  /** Shown to the client before git starts, such as that the project has moved. */
  readonly notice: string | null;
}

export type Question = keyof Questions;

export type ToServer =
  | {
      readonly [Name in Question]: {
        readonly type: Name;
        readonly id: number;
        readonly ask: Questions[Name]['ask'];
      };
    }[Question]
  | { readonly type: 'listening' }
  /** The response to a ping. */
  | { readonly type: 'pong' }
  | { readonly type: 'failed'; readonly code: string }
  /** The client disconnected before git has exited. */
  | { readonly type: 'gone'; readonly session: string }
  /** A client has authenticated, and has disconnected. */
  | { readonly type: 'connected'; readonly connection: string; readonly identity: Identity }
  | { readonly type: 'disconnected'; readonly connection: string }
  | { readonly type: 'connections'; readonly count: number }
  | { readonly type: 'fault'; readonly message: string };

export type ToSsh =
  | {
      readonly type: 'listen';
      readonly port: number;
      readonly host: string;
      /** Whether other processes listen on the port, too. */
      readonly isShared: boolean;
      readonly hostKeys: readonly string[];
      readonly limits: SshLimits;
    }
  | { readonly type: 'ping' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  /** The permission of a session or a connection has ended. */
  | { readonly type: 'end'; readonly target: string }
  /** Ends when the open connections have ended, or after `patience` milliseconds. */
  | { readonly type: 'stop'; readonly patience: number };
