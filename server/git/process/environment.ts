const gitConfig: readonly (readonly [string, string])[] = [
  // repositories may belong to another user than the server's
  ['safe.directory', '*'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['receive.autogc', 'false'],
  ['core.warnAmbiguousRefs', 'false'],
  // isomorphic-git's new repositories say otherwise, for file systems that nobody keeps them on
  ['core.ignoreCase', 'false'],
  ['core.fileMode', 'true'],
  ['core.symlinks', 'true'],
  // an archive may ask for a commit's signature: nobody's key is looked at for a stranger's data
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['receive.fsckObjects', 'true'],
  // faults of old, widespread history that no program minds
  ['receive.fsck.badTimezone', 'ignore'],
  ['receive.fsck.missingSpaceBeforeDate', 'ignore'],
  ['receive.fsck.zeroPaddedFilemode', 'ignore'],
  // what may be deleted or forced is decided by the rules on a push
  ['receive.denyDeletes', 'false'],
  ['receive.denyNonFastForwards', 'false'],
  ['receive.denyDeleteCurrent', 'ignore'],
  ['receive.denyCurrentBranch', 'ignore'],
  ['receive.advertisePushOptions', 'false'],
  // what keeps merge requests is fetched like all else, and moved by nobody
  ['receive.hideRefs', 'refs/merge-requests/'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
];

export type Environment = Readonly<Record<string, string>>;

/** What a git child sees: nothing of the server's own environment, no file outside the repository. */
export const gitEnvironment: Environment = withConfig(gitConfig);

/** The same with more settings. */
export const gitEnvironmentWith = (config: Readonly<Record<string, string>>): Environment =>
  withConfig([...gitConfig, ...Object.entries(config)]);

/** For what compares contents: git reads files whole to do so, and larger ones count as binary. */
export const comparingEnvironment: Environment = gitEnvironmentWith({
  'core.bigFileThreshold': '32m',
});

function withConfig(config: readonly (readonly [string, string])[]): Environment {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
