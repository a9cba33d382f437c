const gitConfig: readonly (readonly [string, string])[] = [
  // repositories may belong to another operating system user
  ['safe.directory', '*'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['receive.autogc', 'false'],
  ['core.warnAmbiguousRefs', 'false'],
  // overrides what isomorphic-git writes into new repositories, for file systems that servers do
  // not use
  ['core.ignoreCase', 'false'],
  ['core.fileMode', 'true'],
  ['core.symlinks', 'true'],
  // an archive may contain a commit's signature: do not verify it against any key
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['receive.fsckObjects', 'true'],
  // version 1 of the filters of changed paths depends on the processor; older git ignores this
  ['commitGraph.changedPathsVersion', '2'],
  // harmless defects that are common in old histories
  ['receive.fsck.badTimezone', 'ignore'],
  ['receive.fsck.missingSpaceBeforeDate', 'ignore'],
  ['receive.fsck.zeroPaddedFilemode', 'ignore'],
  // the push rules decide about deletion and force pushes
  ['receive.denyDeletes', 'false'],
  ['receive.denyNonFastForwards', 'false'],
  ['receive.denyDeleteCurrent', 'ignore'],
  ['receive.denyCurrentBranch', 'ignore'],
  ['receive.advertisePushOptions', 'true'],
  // references of merge requests can be fetched but not pushed
  ['receive.hideRefs', 'refs/merge-requests/'],
  // what keeps commits is of no use to clients: neither fetched nor pushed
  ['transfer.hideRefs', 'refs/merge-request-versions/'],
  ['transfer.hideRefs', 'refs/kept-commits/'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
];

export type Environment = Readonly<Record<string, string>>;

/** The environment of git processes: nothing from the server's own, no files outside the repository. */
export const gitEnvironment: Environment = withConfig(gitConfig);

/** The same with additional settings. */
export const gitEnvironmentWith = (config: Readonly<Record<string, string>>): Environment =>
  withConfig([...gitConfig, ...Object.entries(config)]);

/** For commands that compare contents: git reads whole files for that, so larger ones count as binary. */
export const comparingEnvironment: Environment = gitEnvironmentWith({
  'core.bigFileThreshold': '32m',
});

/** Without the caches that git can ignore; the last setting has an effect on newer versions of git. */
const cachesIgnored: readonly (readonly [string, string])[] = [
  ['core.commitGraph', 'false'],
  ['core.multiPackIndex', 'false'],
  ['pack.useBitmaps', 'false'],
  ['pack.readReverseIndex', 'false'],
];

/** An environment for git that reads objects only, not what is derived from them. */
export function ignoringCaches(environment: Environment): Environment {
  const first = Number(environment.GIT_CONFIG_COUNT ?? 0);
  return { ...environment, ...configFrom(first, cachesIgnored) };
}

/** The variables of settings that follow `first` others. */
function configFrom(first: number, config: readonly (readonly [string, string])[]): Environment {
  return {
    GIT_CONFIG_COUNT: String(first + config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${first + index}`, key],
        [`GIT_CONFIG_VALUE_${first + index}`, value],
      ]),
    ),
  };
}

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
    ...configFrom(0, config),
  };
}
