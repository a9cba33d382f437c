import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** Where a request goes: the address was checked, and nothing else may be connected to. */
export interface Destination {
  /** Without its credentials. */
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  /** The one address of the host that is used, as it was found. */
  readonly address: string;
  readonly port: number;
}

/** Why nothing is sent there, in words for people. */
export class OutgoingRefused extends Error {
  /** Another time the name may be resolved. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing = false) {
    super(message);
    this.name = 'OutgoingRefused';
    this.isPassing = isPassing;
  }
}

export interface OutgoingRules {
  /** E.g. `https:` → 443. */
  readonly ports: ReadonlyMap<string, number>;
  /** Whether private addresses may be reached (MILLRACE_ALLOW_LOCAL_REQUESTS). */
  readonly allowsLocal: boolean;
}

const maxUrlLength = 2048;
const malformedUrl = 'must be a valid URL';
const forbiddenAddress = 'leads to an address that requests are not allowed to';

/** What is wrong with a URL as it is written; null when nothing is. Names are not resolved. */
export function urlFault(text: string, { ports, allowsLocal }: OutgoingRules): string | null {
  const url = URL.parse(text);
  // a URL of ours is what was meant, and not what a parser made of spaces and line breaks
  if (!url || text.length > maxUrlLength || /[\s\p{Cc}\\]/u.test(text)) return malformedUrl;
  if (!ports.has(url.protocol) || url.hostname === '' || url.hostname.startsWith('-')) {
    return malformedUrl;
  }
  if (decoded(url.username) === null || decoded(url.password) === null) return malformedUrl;
  if (allowsLocal) return null;
  const host = bare(url.hostname);
  const isLocal = ipaddr.isValid(host)
    ? !isPublic(host)
    : /^localhost\.?$|\.localhost\.?$/i.test(host);
  return isLocal ? forbiddenAddress : null;
}

/** Resolves the host of a URL once, for good: whatever is connected to is what was checked. */
export async function destinationOf(text: string, rules: OutgoingRules): Promise<Destination> {
  const fault = urlFault(text, rules);
  const url = new URL(fault === null ? text : 'http://invalid.invalid');
  if (fault !== null) throw new OutgoingRefused(`The URL ${fault}`);
  const [username, password] = [decoded(url.username) ?? '', decoded(url.password) ?? ''];
  url.username = '';
  url.password = '';
  const found = await lookup(bare(url.hostname), { all: true, verbatim: true }).catch(() => []);
  const [first] = found;
  if (!first) throw new OutgoingRefused(`The host ${url.hostname} could not be resolved`, true);
  // a name with one address outside and one inside is no better than one inside
  if (!rules.allowsLocal && found.some(({ address }) => !isPublic(address))) {
    throw new OutgoingRefused(`The URL ${forbiddenAddress}`);
  }
  const port = url.port === '' ? (rules.ports.get(url.protocol) ?? 0) : Number(url.port);
  return { url, username, password, address: first.address, port };
}

/** Whether everybody's internet has this address: no private, shared, local or tunnelled range. */
function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isGlobal = address.kind() === 'ipv4' || address.match(globalUnicast);
  return isGlobal && address.range() === 'unicast';
}

/** The only range of IPv6 that is given out. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
