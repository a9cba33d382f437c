import type { Socket } from 'node:net';
import type { ServerChannel } from 'ssh2';
import { oldestOfLargestShare } from '../queueing/largest-share.ts';
import { networkOf } from '../scheduling/network.ts';
import type { SshLimits } from './limits.ts';

interface Entry {
  readonly key: string;
  readonly socket: Socket;
  readonly network: string;
  /** The user or deploy key; null until the client has authenticated. */
  holder: string | null;
  /** Commands that run now. */
  commands: number;
  /** Open channels, also of commands that have ended and whose output is not sent yet. */
  channels: number;
  timer: NodeJS.Timeout | undefined;
}

/** A command that runs on a connection. */
interface AdmittedCommand {
  readonly socket: Socket;
  readonly end: () => void;
}

export type Admission = ReturnType<typeof admission>;

const isAuthenticated = ({ holder }: Entry): boolean => holder !== null;
const isUnauthenticated = (entry: Entry): boolean => !isAuthenticated(entry);

/**
 * Limits connections, and closes those that do nothing. Clients that have authenticated and clients that have not
 * cannot fill the places of each other. In a class that is full, a new client gets the place of a connection that
 * does nothing: the oldest one of the network or user that has most of them.
 */
export function admission(limits: SshLimits, onCount: (connections: number) => void) {
  // in the order in which they were opened
  const entries = new Map<string, Entry>();
  const find = (address: string, port: number) => entries.get(`${address} ${port}`);
  const filter = (condition: (entry: Entry) => boolean) => [...entries.values()].filter(condition);
  const closeAfter = (entry: Entry, time: number) => {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => entry.socket.destroy(), time);
  };
  const remove = (entry: Entry) => {
    clearTimeout(entry.timer);
    if (entries.get(entry.key) !== entry) return;
    entries.delete(entry.key);
    onCount(entries.size);
  };
  /** Closes a connection among these that does nothing; false if there is none. */
  const makeRoom = (full: readonly Entry[], shareOf: (entry: Entry) => string): boolean => {
    const victim = oldestOfLargestShare(full, shareOf, ({ commands }) => commands === 0);
    if (!victim) return false;
    remove(victim);
    victim.socket.destroy();
    return true;
  };

  return {
    /** Counts a new connection; false if its address has too many. */
    enter: (socket: Socket): boolean => {
      const { remoteAddress = '', remotePort = 0 } = socket;
      const network = networkOf(remoteAddress);
      const own = filter((entry) => entry.network === network);
      if (own.length >= limits.connectionsPerAddress) return false;
      if (own.filter(isUnauthenticated).length >= limits.unauthenticatedPerAddress) return false;
      const others = filter(isUnauthenticated);
      if (others.length >= limits.unauthenticated) makeRoom(others, (entry) => entry.network);
      const entry: Entry = {
        key: `${remoteAddress} ${remotePort}`,
        ...{ socket, network, holder: null, commands: 0, channels: 0, timer: undefined },
      };
      entries.set(entry.key, entry);
      closeAfter(entry, limits.graceMs);
      socket.on('error', () => {});
      socket.once('close', () => remove(entry));
      onCount(entries.size);
      return true;
    },
    /** The client has authenticated; false if there are too many connections of its holder, or in all. */
    authenticated: (address: string, port: number, holder: string): boolean => {
      const entry = find(address, port);
      if (!entry) return false;
      const others = filter(isAuthenticated);
      const own = others.filter((other) => other.holder === holder);
      const shareOf = (other: Entry) => other.holder ?? '';
      if (own.length >= limits.connectionsPerHolder && !makeRoom(own, shareOf)) return false;
      const isFull = others.length >= limits.connections - limits.unauthenticated;
      if (isFull && !makeRoom(others, shareOf)) return false;
      entry.holder = holder;
      closeAfter(entry, limits.idleMs);
      return true;
    },
    /** Closes a connection, with what its client has not read yet. */
    close: (address: string, port: number): void => {
      find(address, port)?.socket.destroy();
    },
    /** A command begins; null if its connection is closed. */
    begin: (address: string, port: number, channel: ServerChannel): AdmittedCommand | null => {
      const entry = find(address, port);
      if (!entry) return null;
      entry.commands += 1;
      entry.channels += 1;
      clearTimeout(entry.timer);
      channel.once('close', () => {
        entry.channels -= 1;
      });
      return {
        socket: entry.socket,
        end: () => {
          entry.commands -= 1;
          // a client may never close the channel
          if (entry.commands === 0 && entries.has(entry.key)) closeAfter(entry, limits.idleMs);
        },
      };
    },
    /** Closes the connections on which nothing is sent any more, as at a stop. */
    closeIdle: (): void => {
      for (const { socket, channels } of entries.values()) if (channels === 0) socket.destroy();
    },
  };
}
