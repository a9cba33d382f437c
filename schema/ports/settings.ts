type Visibility = 'private' | 'internal' | 'public';

/** What an administrator has decided for the whole instance (specification, Application settings). */
export interface ApplicationSettings {
  readonly defaultProjectsLimit: number;
  readonly isPasswordAuthenticationEnabled: boolean;
  readonly isAvatarServiceEnabled: boolean;
  /** 0 open, 1 developers push, 2 and 3 masters push (v4-behaviour 4.4). */
  readonly defaultBranchProtection: number;
  readonly restrictedVisibilityLevels: readonly Visibility[];
  readonly defaultProjectVisibility: Visibility;
  readonly defaultGroupVisibility: Visibility;
  /** Megabytes that the files of a request may have together. */
  readonly maxAttachmentSize: number;
  readonly repositoryStorages: readonly string[];
  /** `ssh` closes git over HTTP; null and `http` leave it open. */
  readonly enabledGitAccessProtocol: string | null;
}

/** The application settings as every process remembers them; refreshed when the row changes. */
export interface Settings {
  readonly current: ApplicationSettings;
  /** Reads the row again at once, so that the next request in this process obeys a change. */
  refresh(): Promise<void>;
}
