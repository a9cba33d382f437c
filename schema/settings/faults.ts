import { domainToASCII } from 'node:url';
import type { Prisma } from '../../prisma/client.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import { parseExpiry } from '../kernel/expiry.ts';
import { isStorable } from '../kernel/storable.ts';
import type { Change } from './input.ts';

/** The minimum of each number, by its name in REST (v4-behaviour 2.15). */
const leasts = [
  ['default_projects_limit', 'defaultProjectsLimit', 0],
  ['max_attachment_size', 'maxAttachmentSize', 1],
  ['max_artifacts_size', 'maxArtifactsSize', 0],
  ['session_expire_delay', 'sessionExpireDelay', 0],
  ['container_registry_token_expire_delay', 'containerRegistryTokenExpireDelay', 1],
  ['terminal_max_session_time', 'terminalMaxSessionTime', 0],
  ['polling_interval_multiplier', 'pollingIntervalMultiplier', 0],
  ['circuitbreaker_access_retries', 'circuitbreakerAccessRetries', 1],
  ['circuitbreaker_backoff_threshold', 'circuitbreakerBackoffThreshold', 0],
  ['circuitbreaker_failure_count_threshold', 'circuitbreakerFailureCountThreshold', 0],
  ['circuitbreaker_failure_reset_time', 'circuitbreakerFailureResetTime', 0],
  ['circuitbreaker_failure_wait_time', 'circuitbreakerFailureWaitTime', 0],
  ['circuitbreaker_storage_timeout', 'circuitbreakerStorageTimeout', 0],
] as const;

const choices = [
  ['default_branch_protection', 'defaultBranchProtection', [0, 1, 2]],
  ['rsa_key_restriction', 'rsaKeyRestriction', [0, 1024, 2048, 3072, 4096, -1]],
  ['dsa_key_restriction', 'dsaKeyRestriction', [0, 1024, 2048, 3072, -1]],
  ['ecdsa_key_restriction', 'ecdsaKeyRestriction', [0, 256, 384, 521, -1]],
  ['ed25519_key_restriction', 'ed25519KeyRestriction', [0, 256, -1]],
] as const;

const texts = [
  ['sign_in_text', 'signInText', 65_536],
  ['home_page_url', 'homePageUrl', 2000],
  ['after_sign_out_path', 'afterSignOutPath', 2000],
  ['cloudide_url', 'cloudideUrl', 2000],
  ['diagrams_url', 'diagramsUrl', 2000],
] as const;

/** Pages link and redirect there: only http and https are allowed. */
const addresses = [
  ['home_page_url', 'homePageUrl'],
  ['after_sign_out_path', 'afterSignOutPath'],
  ['cloudide_url', 'cloudideUrl'],
  ['diagrams_url', 'diagramsUrl'],
] as const;

const domainLists = [
  ['domain_whitelist', 'domainWhitelist'],
  ['domain_blacklist', 'domainBlacklist'],
] as const;

const lists = [
  ['repository_storages', 'repositoryStorages'],
  ['disabled_oauth_sign_in_sources', 'disabledOauthSignInSources'],
] as const;

/** Every process keeps them in memory. */
const mostItems = 10_000;
const longestItem = 255;

const enough = (least: number, value: number) => {
  if (value >= least) return [];
  return [least === 1 ? 'must be greater than 0' : `must be greater than or equal to ${least}`];
};

const isAddress = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && !/\s/.test(text);
};

const textFaults = (text: string, most: number) => {
  if (text.length > most) return [`is too long (maximum is ${most} characters)`];
  return isStorable(text) ? [] : ['is invalid'];
};

const listFaults = (items: readonly string[]) => {
  if (items.length > mostItems) return [`is too long (maximum is ${mostItems} items)`];
  return items.flatMap((item) => textFaults(item, longestItem)).slice(0, 1);
};

const domainShape =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const isAscii = /^[\x21-\x7e]*$/;

/** A domain, also with letters beyond ASCII; `*.` at its start matches subdomains. */
function isDomain(text: string): boolean {
  const name = text.startsWith('*.') ? text.slice(2) : text;
  return domainShape.test(isAscii.test(name) ? name : domainToASCII(name));
}

function domainFaults(items: readonly string[]) {
  const faults = listFaults(items);
  if (faults.length > 0) return faults;
  const wrong = items.find((item) => !isDomain(item));
  return wrong === undefined ? [] : [`'${wrong}' is not a valid domain`];
}

/** Messages for the given fields alone. */
export function changeFaults(change: Change, storages: readonly string[]): FieldErrors {
  return Object.fromEntries([
    ...leasts.map(([name, key, least]) => [name, enough(least, change[key] ?? least)]),
    ...choices.map(([name, key, allowed]) => {
      const value = change[key];
      const isAllowed = value === undefined || (allowed as readonly number[]).includes(value);
      return [name, isAllowed ? [] : ['is not included in the list']];
    }),
    ...domainLists.map(([name, key]) => [name, domainFaults(change[key] ?? [])]),
    ...lists.map(([name, key]) => [name, listFaults(change[key] ?? [])]),
    ...addresses.flatMap(([name, key]) =>
      isAddress(change[key] ?? 'http://none') ? [] : [[name, ['must be a valid URL']]],
    ),
    ...texts.flatMap(([name, key, most]) => {
      const faults = textFaults(change[key] ?? '', most);
      return faults.length > 0 ? [[name, faults]] : [];
    }),
    ...(parseExpiry(change.defaultArtifactsExpireIn ?? '0') === null
      ? [['default_artifacts_expire_in', ['is not a correct duration']]]
      : []),
    ...storageFaults(change.repositoryStorages, storages),
  ]);
}

function storageFaults(given: readonly string[] | undefined, storages: readonly string[]) {
  if (given === undefined || given.length > mostItems) return [];
  if (given.length === 0) return [['repository_storages', ["can't be blank"]]];
  const unknown = given.filter((name) => !storages.includes(name));
  if (unknown.length === 0) return [];
  const names = unknown.join(', ').slice(0, longestItem);
  return [['repository_storages', [`can't include: ${names}`]]];
}

type Stored = Readonly<Prisma.ApplicationSettingsGetPayload<object>>;

const blank = ["can't be blank"];

/** Messages for combinations of fields after the change. */
export const combinationFaults = (whole: Stored): FieldErrors => ({
  ...(whole.cloudideEnabled && whole.cloudideUrl === null && { cloudide_url: blank }),
  ...(whole.diagramsEnabled && whole.diagramsUrl === null && { diagrams_url: blank }),
  ...(whole.domainBlacklistEnabled &&
    whole.domainBlacklist.length === 0 && {
      domain_blacklist: ['Domain blacklist cannot be empty if Blacklist is enabled.'],
    }),
  ...(whole.circuitbreakerBackoffThreshold >= whole.circuitbreakerFailureCountThreshold && {
    circuitbreaker_backoff_threshold: [
      'The circuitbreaker backoff threshold should be lower than the failure count threshold',
    ],
  }),
  ...(areAllKeysForbidden(whole) && { allowed_key_types: blank }),
});

const areAllKeysForbidden = (whole: Stored) =>
  [
    whole.rsaKeyRestriction,
    whole.dsaKeyRestriction,
    whole.ecdsaKeyRestriction,
    whole.ed25519KeyRestriction,
  ].every((least) => least === -1);
