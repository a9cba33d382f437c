type Visibility = 'private' | 'internal' | 'public';

/** The settings of the whole instance (specification, Application settings). */
export interface ApplicationSettings {
  /** Applies to new users only. */
  readonly defaultProjectsLimit: number;
  readonly passwordAuthenticationEnabled: boolean;
  readonly avatarServiceEnabled: boolean;
  /** 0 open, 1 developers push, 2 and 3 masters push (v4-behaviour 4.4). */
  readonly defaultBranchProtection: number;
  readonly restrictedVisibilityLevels: readonly Visibility[];
  readonly defaultProjectVisibility: Visibility;
  readonly defaultSnippetVisibility: Visibility;
  readonly defaultGroupVisibility: Visibility;
  /** Megabytes, for all files of a request together. */
  readonly maxAttachmentSize: number;
  /** Megabytes of a job's artifacts archive; 0 disables artifacts. */
  readonly maxArtifactsSize: number;
  /** Megabytes of a Git LFS object; 0 allows none. */
  readonly maxLfsObjectSize: number;
  /** The default expiry of artifacts, e.g. `30 days`; 0 means never. */
  readonly defaultArtifactsExpireIn: string;
  readonly repositoryStorages: readonly string[];
  /** `ssh` disables git over HTTP; null and `http` enable it. */
  readonly enabledGitAccessProtocol: string | null;
  readonly signupEnabled: boolean;
  readonly signInText: string | null;
  readonly homePageUrl: string | null;
  readonly afterSignOutPath: string | null;
  /** Minutes; takes effect at the next start. */
  readonly sessionExpireDelay: number;
  /**
   * Sign-ups need an address of one of these domains; an empty list allows all. `*` matches any
   * letters.
   */
  readonly domainWhitelist: readonly string[];
  readonly domainBlacklistEnabled: boolean;
  readonly domainBlacklist: readonly string[];
  readonly userOauthApplications: boolean;
  readonly disabledOauthSignInSources: readonly string[];
  /** The minimum bits of an uploaded key: 0 allows any, -1 forbids the type. */
  readonly rsaKeyRestriction: number;
  readonly dsaKeyRestriction: number;
  readonly ecdsaKeyRestriction: number;
  readonly ed25519KeyRestriction: number;
}

/** The application settings as cached by every process; refreshed when the row changes. */
export interface Settings {
  readonly current: ApplicationSettings;
  /** Reads the row again at once, so that the next request in this process uses the change. */
  refresh(): Promise<void>;
}
