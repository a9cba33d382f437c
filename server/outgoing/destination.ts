import ipaddr from 'ipaddr.js';
import { percentDecoded } from '../../schema/kernel/percent-encoding.ts';
import { addressesOf } from './host-addresses.ts';

/** A checked destination: the request may connect to this address only. */
export interface Destination {
  /** Without credentials. */
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  /** The resolved address of the host; no other one is used. */
  readonly address: string;
  readonly port: number;
}

/** Why the destination is not allowed, as a text for users. */
export class OutgoingRefused extends Error {
  /** Resolving the name may succeed later. */
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
  /** Whether private addresses are allowed (MILLRACE_ALLOW_LOCAL_REQUESTS). */
  readonly allowsLocal: boolean;
}

const maxUrlLength = 2048;
const malformedUrl = 'must be a valid URL';
const forbiddenAddress = 'leads to an address that requests are not allowed to';

/** What is wrong with a URL's text; null when nothing is. Does not resolve names. */
export function urlFault(text: string, { ports, allowsLocal }: OutgoingRules): string | null {
  const url = URL.parse(text);
  // reject a URL that the parser would repair, such as one with spaces or line breaks
  if (!url || text.length > maxUrlLength || /[\s\p{Cc}\\]/u.test(text)) return malformedUrl;
  if (!ports.has(url.protocol) || url.hostname === '' || url.hostname.startsWith('-')) {
    return malformedUrl;
  }
  if (percentDecoded(url.username) === null || percentDecoded(url.password) === null)
    return malformedUrl;
  if (allowsLocal) return null;
  const host = bare(url.hostname);
  const isLocal = ipaddr.isValid(host)
    ? !isPublic(host)
    : /^localhost\.?$|\.localhost\.?$/i.test(host);
  return isLocal ? forbiddenAddress : null;
}

/** Resolves the host of a URL once: the request then connects to the checked address. */
export async function destinationOf(text: string, rules: OutgoingRules): Promise<Destination> {
  const fault = urlFault(text, rules);
  const url = new URL(fault === null ? text : 'http://invalid.invalid');
  if (fault !== null) throw new OutgoingRefused(`The URL ${fault}`);
  const [username, password] = [
    percentDecoded(url.username) ?? '',
    percentDecoded(url.password) ?? '',
  ];
  url.username = '';
  url.password = '';
  const addresses = await addressesOf(bare(url.hostname), rules.allowsLocal);
  const [first] = addresses;
  if (!first) throw new OutgoingRefused(`The host ${url.hostname} could not be resolved`, true);
  // a name that also resolves to a private address counts as private
  if (!rules.allowsLocal && addresses.some((address) => !isPublic(address))) {
    throw new OutgoingRefused(`The URL ${forbiddenAddress}`);
  }
  const port = url.port === '' ? (rules.ports.get(url.protocol) ?? 0) : Number(url.port);
  return { url, username, password, address: first, port };
}

/** Whether an address is public: no private, shared, local or tunnelled range. */
function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isGlobal = address.kind() === 'ipv4' || address.match(globalUnicast);
  return isGlobal && address.range() === 'unicast';
}

/** The only allocated range of global IPv6 addresses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');
