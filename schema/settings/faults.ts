import { domainToASCII } from 'node:url';
import type { Prisma } from '../../prisma/client.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import { parseExpiry } from '../kernel/expiry.ts';
import { isStorable } from '../kernel/storable.ts';
import { type Change, domainLists } from './input.ts';

/** The minimum of each number (v4-behaviour 2.15). */
const leasts = {
  defaultProjectsLimit: 0,
  maxAttachmentSize: 1,
  maxArtifactsSize: 0,
  maxLfsObjectSize: 0,
  sessionExpireDelay: 0,
  containerRegistryTokenExpireDelay: 1,
  terminalMaxSessionTime: 0,
  pollingIntervalMultiplier: 0,
  circuitbreakerAccessRetries: 1,
  circuitbreakerBackoffThreshold: 0,
  circuitbreakerFailureCountThreshold: 0,
  circuitbreakerFailureResetTime: 0,
  circuitbreakerFailureWaitTime: 0,
  circuitbreakerStorageTimeout: 0,
} as const;

const choices = {
  defaultBranchProtection: [0, 1, 2],
  rsaKeyRestriction: [0, 1024, 2048, 3072, 4096, -1],
  dsaKeyRestriction: [0, 1024, 2048, 3072, -1],
  ecdsaKeyRestriction: [0, 256, 384, 521, -1],
  ed25519KeyRestriction: [0, 256, -1],
} as const;

const texts = {
  signInText: 65_536,
  homePageUrl: 2000,
  afterSignOutPath: 2000,
  cloudideUrl: 2000,
  diagramsUrl: 2000,
} as const;

/** Pages link and redirect there: only http and https are allowed. */
const addresses = ['homePageUrl', 'afterSignOutPath', 'cloudideUrl', 'diagramsUrl'] as const;

const lists = ['repositoryStorages', 'disabledOauthSignInSources'] as const;

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

const entriesOf = <Key extends string, Value>(table: Readonly<Record<Key, Value>>) =>
  Object.entries(table) as [Key, Value][];

/** Messages for the given fields alone. */
export function changeFaults(change: Change, storages: readonly string[]): FieldErrors {
  const faults: (readonly [keyof Change, readonly string[]])[] = [
    ...entriesOf(leasts).map(([key, least]) => [key, enough(least, change[key] ?? least)] as const),
    ...entriesOf(choices).map(([key, allowed]) => {
      const value = change[key];
      const isAllowed = value === undefined || (allowed as readonly number[]).includes(value);
      return [key, isAllowed ? [] : ['is not included in the list']] as const;
    }),
    ...domainLists.map((key) => [key, domainFaults(change[key] ?? [])] as const),
    ...lists.map((key) => [key, listFaults(change[key] ?? [])] as const),
    ...addresses
      .filter((key) => !isAddress(change[key] ?? 'http://none'))
      .map((key) => [key, ['must be a valid URL']] as const),
    ...entriesOf(texts)
      .map(([key, most]) => [key, textFaults(change[key] ?? '', most)] as const)
      .filter(([, messages]) => messages.length > 0),
    ...(parseExpiry(change.defaultArtifactsExpireIn ?? '0') === null
      ? [['defaultArtifactsExpireIn', ['is not a correct duration']] as const]
      : []),
    ...storageFaults(change.repositoryStorages, storages),
  ];
  return Object.fromEntries(faults);
}

function storageFaults(given: readonly string[] | undefined, storages: readonly string[]) {
  if (given === undefined || given.length > mostItems) return [];
  if (given.length === 0) return [['repositoryStorages', ["can't be blank"]] as const];
  const unknown = given.filter((name) => !storages.includes(name));
  if (unknown.length === 0) return [];
  const names = unknown.join(', ').slice(0, longestItem);
  return [['repositoryStorages', [`can't include: ${names}`]] as const];
}

type Stored = Readonly<Prisma.ApplicationSettingsGetPayload<object>>;

const blank = ["can't be blank"];

/** Messages for combinations of fields after the change. */
export const combinationFaults = (whole: Stored): FieldErrors => ({
  ...(whole.cloudideEnabled && whole.cloudideUrl === null && { cloudideUrl: blank }),
  ...(whole.diagramsEnabled && whole.diagramsUrl === null && { diagramsUrl: blank }),
  ...(whole.domainBlacklistEnabled &&
    whole.domainBlacklist.length === 0 && {
      domainBlacklist: ['Domain blacklist cannot be empty if Blacklist is enabled.'],
    }),
  ...(whole.circuitbreakerBackoffThreshold >= whole.circuitbreakerFailureCountThreshold && {
    circuitbreakerBackoffThreshold: [
      'The circuitbreaker backoff threshold should be lower than the failure count threshold',
    ],
  }),
  ...(areAllKeysForbidden(whole) && { allowedKeyTypes: blank }),
});

const areAllKeysForbidden = (whole: Stored) =>
  [
    whole.rsaKeyRestriction,
    whole.dsaKeyRestriction,
    whole.ecdsaKeyRestriction,
    whole.ed25519KeyRestriction,
  ].every((least) => least === -1);
