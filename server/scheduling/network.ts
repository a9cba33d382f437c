import { isIP } from 'node:net';
import ipaddr, { type IPv6 } from 'ipaddr.js';

/**
 * The key under which an address is counted: an IPv4 address itself, of IPv6 the /64 network, which
 * belongs to one subscriber. Invalid addresses from a proxy share one key.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as IPv6).parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
