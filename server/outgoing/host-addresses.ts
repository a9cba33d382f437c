import dns from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { turnsOf } from '../scheduling/heavy-work.ts';

/** Milliseconds for the first attempt; the second has more. */
const resolverLimits = { timeout: 2_000, tries: 2 };

const hostsFile = '/etc/hosts';

/** The lookup of the operating system holds a thread of the process until a name server responds. */
const turn = turnsOf('host-names', 1, { isCounted: false });

/**
 * The addresses of a host; none if there are none. A user's name is resolved without the operating system: that has
 * two threads for all lookups of the process, and a name server of a user that does not respond would hold both, so that the
 * object store, the directory and other webhooks were not found. `mayBeLocal`: the host may have a name that only the
 * operating system knows.
 */
export async function addressesOf(host: string, mayBeLocal: boolean): Promise<readonly string[]> {
  if (ipaddr.isValid(host)) return [host];
  if (!host.includes('.')) return fromSystem(host);
  const listed = await fromHostsFile(host);
  if (listed.length > 0) return listed;
  const resolver = new Resolver(resolverLimits);
  resolver.setServers(dns.getServers());
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const isUnknown = answers.every((answer) => answer.status === 'rejected' && isMissing(answer));
  return isUnknown && mayBeLocal ? turn(() => fromSystem(host)) : found;
}

const isMissing = ({ reason }: PromiseRejectedResult): boolean =>
  reason.code === 'ENOTFOUND' || reason.code === 'ENODATA' || reason.code === 'ECONNREFUSED';

const fromSystem = async (host: string): Promise<readonly string[]> => {
  const addresses = await lookup(host, { all: true, verbatim: true }).catch(() => []);
  return addresses.map(({ address }) => address);
};

async function fromHostsFile(host: string): Promise<readonly string[]> {
  const name = host.toLowerCase().replace(/\.$/, '');
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    const isNamed = names.some((other) => other.toLowerCase() === name);
    return isNamed && ipaddr.isValid(address) ? [address] : [];
  });
}
