type Visibility = 'private' | 'internal' | 'public';

/** What an administrator has decided for the whole instance (specification, Application settings). */
export interface ApplicationSettings {
  /** Of users that are made from now on. */
  readonly defaultProjectsLimit: number;
  readonly passwordAuthenticationEnabled: boolean;
  readonly avatarServiceEnabled: boolean;
  /** 0 open, 1 developers push, 2 and 3 masters push (v4-behaviour 4.4). */
  readonly defaultBranchProtection: number;
  readonly restrictedVisibilityLevels: readonly Visibility[];
  readonly defaultProjectVisibility: Visibility;
  readonly defaultSnippetVisibility: Visibility;
  readonly defaultGroupVisibility: Visibility;
  /** Megabytes that the files of a request may have together. */
  readonly maxAttachmentSize: number;
  /** Megabytes that the archive of a job may have; 0: jobs leave none. */
  readonly maxArtifactsSize: number;
  /** For how long archives of which nothing was said are kept, e.g. `30 days`; 0: for good. */
  readonly defaultArtifactsExpireIn: string;
  readonly repositoryStorages: readonly string[];
  /** `ssh` closes git over HTTP; null and `http` leave it open. */
  readonly enabledGitAccessProtocol: string | null;
  readonly signupEnabled: boolean;
  readonly signInText: string | null;
  readonly homePageUrl: string | null;
  readonly afterSignOutPath: string | null;
  /** Minutes; obeyed from the next start on. */
  readonly sessionExpireDelay: number;
  /** Who signs up needs an address of one of these; none lets all. `*` stands for any letters. */
  readonly domainWhitelist: readonly string[];
  readonly domainBlacklistEnabled: boolean;
  readonly domainBlacklist: readonly string[];
  readonly userOauthApplications: boolean;
  readonly disabledOauthSignInSources: readonly string[];
  /** The least bits of a key that is uploaded: 0 any, -1 none of this type. */
  readonly rsaKeyRestriction: number;
  readonly dsaKeyRestriction: number;
  readonly ecdsaKeyRestriction: number;
  readonly ed25519KeyRestriction: number;
}

/** The application settings as every process remembers them; refreshed when the row changes. */
export interface Settings {
  readonly current: ApplicationSettings;
  /** Reads the row again at once, so that the next request in this process obeys a change. */
  refresh(): Promise<void>;
}
