import type { Option } from '../kernel/forms.ts';

/** What kind of control a setting has. */
export type SettingKind =
  | { readonly kind: 'flag' | 'number' | 'text' | 'markdown' | 'lines' | 'visibilities' }
  | { readonly kind: 'choice' | 'number choice'; readonly options: readonly Option[] };

export type SettingField<Name extends string = string> = SettingKind & {
  /** The name in the core. */
  readonly name: Name;
  readonly label: string;
  readonly hint?: string;
};

export interface SettingSection {
  /** The name in the address of its form. */
  readonly word: string;
  readonly title: string;
  readonly text: string;
  readonly fields: readonly SettingField[];
}

export const visibilities: readonly Option[] = [
  ['private', 'Private: members only'],
  ['internal', 'Internal: all signed-in users except external ones'],
  ['public', 'Public: everyone'],
];

const keySizes = (...sizes: readonly number[]): readonly Option[] => [
  ['0', 'All sizes'],
  ...sizes.map((size): Option => [String(size), `At least ${size} bits`]),
  ['-1', 'Not allowed'],
];

const oneSize: readonly Option[] = [
  ['0', 'Allowed'],
  ['-1', 'Not allowed'],
];

/** The settings that have an effect, by subject. */
export const settingSections: readonly SettingSection[] = [
  {
    word: 'sign_up',
    title: 'Sign-up',
    text: 'Who can create an account.',
    fields: [
      { kind: 'flag', name: 'signupEnabled', label: 'Anonymous users can sign up' },
      {
        kind: 'lines',
        name: 'domainWhitelist',
        label: 'Allowed domains of e-mail addresses',
        hint: 'One a line; a leading *. matches subdomains. Empty: all domains are allowed.',
      },
      { kind: 'flag', name: 'domainBlacklistEnabled', label: 'Some domains are not allowed' },
      {
        kind: 'lines',
        name: 'domainBlacklist',
        label: 'Domains that are not allowed',
        hint: 'One a line. Ignored unless the list of allowed domains is empty.',
      },
      {
        kind: 'number',
        name: 'defaultProjectsLimit',
        label: 'Personal projects of a new user at most',
      },
    ],
  },
  {
    word: 'sign_in',
    title: 'Sign-in',
    text: 'How users sign in, and what they see before and after.',
    fields: [
      {
        kind: 'flag',
        name: 'passwordAuthenticationEnabled',
        label: 'Users can sign in with a password',
        hint: 'Without it, users need a directory. Administrators should keep a token.',
      },
      {
        kind: 'number',
        name: 'sessionExpireDelay',
        label: 'Minutes until a browser session expires',
        hint: 'A change takes effect when the server starts.',
      },
      {
        kind: 'markdown',
        name: 'signInText',
        label: 'Text on the sign-in page',
        hint: 'Markdown is supported.',
      },
      {
        kind: 'text',
        name: 'homePageUrl',
        label: 'Start page of anonymous users',
        hint: 'An HTTP or HTTPS URL. Empty: the list of public projects.',
      },
      {
        kind: 'text',
        name: 'afterSignOutPath',
        label: 'Page after sign-out',
        hint: 'An HTTP or HTTPS URL. Empty: the sign-in page.',
      },
    ],
  },
  {
    word: 'visibility',
    title: 'Visibility and protection',
    text: 'What new projects, groups and snippets begin with, and what users cannot choose.',
    fields: [
      {
        kind: 'choice',
        name: 'defaultProjectVisibility',
        label: 'New projects',
        options: visibilities,
      },
      {
        kind: 'choice',
        name: 'defaultGroupVisibility',
        label: 'New groups',
        options: visibilities,
      },
      {
        kind: 'choice',
        name: 'defaultSnippetVisibility',
        label: 'New snippets',
        options: visibilities,
      },
      {
        kind: 'visibilities',
        name: 'restrictedVisibilityLevels',
        label: 'Visibilities that only administrators may use',
      },
      {
        kind: 'number choice',
        name: 'defaultBranchProtection',
        label: 'Protection of the default branch of a new project',
        options: [
          ['0', 'None: developers can push, also with force'],
          ['1', 'Partial: developers can push, without force'],
          ['2', 'Full: only masters can push'],
        ],
      },
    ],
  },
  {
    word: 'limits',
    title: 'Limits',
    text: 'Sizes in megabytes; 0 allows none.',
    fields: [
      { kind: 'number', name: 'maxAttachmentSize', label: 'Uploads', hint: 'At least 1.' },
      { kind: 'number', name: 'maxArtifactsSize', label: 'Artifacts of a job' },
      { kind: 'number', name: 'maxLfsObjectSize', label: 'Git LFS object' },
      {
        kind: 'text',
        name: 'defaultArtifactsExpireIn',
        label: 'Artifacts are kept for',
        hint: 'Such as 30 days, unless the CI file says so. 0: artifacts never expire.',
      },
    ],
  },
  {
    word: 'git',
    title: 'Git and SSH keys',
    text: 'How git is served, and which keys users may add.',
    fields: [
      {
        kind: 'choice',
        name: 'enabledGitAccessProtocol',
        label: 'Protocols',
        options: [
          ['', 'HTTP and SSH'],
          ['http', 'Only HTTP'],
          ['ssh', 'Only SSH'],
        ],
      },
      {
        kind: 'number choice',
        name: 'rsaKeyRestriction',
        label: 'RSA keys',
        options: keySizes(1024, 2048, 3072, 4096),
      },
      {
        kind: 'number choice',
        name: 'dsaKeyRestriction',
        label: 'DSA keys',
        options: keySizes(1024, 2048, 3072),
      },
      {
        kind: 'number choice',
        name: 'ecdsaKeyRestriction',
        label: 'ECDSA keys',
        options: keySizes(256, 384, 521),
      },
      {
        kind: 'number choice',
        name: 'ed25519KeyRestriction',
        label: 'ED25519 keys',
        options: [...oneSize, ['256', 'At least 256 bits']],
      },
      {
        kind: 'lines',
        name: 'repositoryStorages',
        label: 'Storages of new repositories',
        hint: 'Names from the configuration of the server, one a line.',
      },
    ],
  },
  {
    word: 'accounts',
    title: 'Accounts and applications',
    text: 'Avatars, and programs that act for users.',
    fields: [
      {
        kind: 'flag',
        name: 'avatarServiceEnabled',
        label: 'Users without a picture have one of gravatar.com',
        hint: 'Clients of the API get its URL. The pages load no pictures from other hosts.',
      },
      {
        kind: 'flag',
        name: 'userOauthApplications',
        label: 'Users may register OAuth applications',
      },
    ],
  },
];
