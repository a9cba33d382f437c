import { isIP } from 'node:net';

const mapped = /^::ffff:(?=\d+\.)/i;

/**
 * The key under which an address is counted: an IPv4 address itself, of IPv6 the /64 network, which
 * belongs to one subscriber. Invalid addresses from a proxy share one key.
 */
export function networkOf(address: string): string {
  const plain = address.replace(mapped, '');
  const version = isIP(plain);
  if (version !== 6) return version === 4 ? plain : 'unknown';
  const [before = '', after] = plain.toLowerCase().split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after ? after.split(':') : [];
  const gap = after === undefined ? 0 : Math.max(8 - head.length - tail.length, 1);
  const groups = [...head, ...Array<string>(gap).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
