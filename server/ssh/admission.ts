import type { Socket } from 'node:net';
import { networkOf } from '../scheduling/network.ts';

/** Limits on connections; times in milliseconds. */
const limits = {
  connections: 1_000,
  /** Of clients that have not authenticated yet, in all and from one address. */
  unauthenticated: 200,
  unauthenticatedPerAddress: 20,
  connectionsPerAddress: 200,
  /** Until a client has authenticated. */
  graceMs: 30_000,
  /** Without a command. */
  idleMs: 600_000,
};

interface Entry {
  readonly socket: Socket;
  readonly network: string;
  isAuthenticated: boolean;
  /** Commands that run now. */
  commands: number;
  timer: NodeJS.Timeout | undefined;
}

export type Admission = ReturnType<typeof admission>;

/** Limits the connections of all clients and of each address, and closes those that do nothing. */
export function admission(onCount: (connections: number) => void) {
  const entries = new Map<string, Entry>();
  const count = (condition: (entry: Entry) => boolean) => {
    let sum = 0;
    for (const entry of entries.values()) if (condition(entry)) sum += 1;
    return sum;
  };
  const closeAfter = (entry: Entry, time: number) => {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => entry.socket.destroy(), time);
  };
  const find = (address: string, port: number) => entries.get(`${address} ${port}`);

  return {
    /** Counts a new connection; false if there are too many. */
    enter: (socket: Socket): boolean => {
      const { remoteAddress = '', remotePort = 0 } = socket;
      const network = networkOf(remoteAddress);
      const isFull =
        entries.size >= limits.connections ||
        count((entry) => entry.network === network) >= limits.connectionsPerAddress ||
        count((entry) => !entry.isAuthenticated) >= limits.unauthenticated ||
        count((entry) => !entry.isAuthenticated && entry.network === network) >=
          limits.unauthenticatedPerAddress;
      if (isFull) return false;
      const key = `${remoteAddress} ${remotePort}`;
      const entry: Entry = {
        socket,
        network,
        isAuthenticated: false,
        commands: 0,
        timer: undefined,
      };
      entries.set(key, entry);
      closeAfter(entry, limits.graceMs);
      socket.on('error', () => {});
      socket.once('close', () => {
        clearTimeout(entry.timer);
        entries.delete(key);
        onCount(entries.size);
      });
      onCount(entries.size);
      return true;
    },
    authenticated: (address: string, port: number): void => {
      const entry = find(address, port);
      if (!entry) return;
      entry.isAuthenticated = true;
      closeAfter(entry, limits.idleMs);
    },
    /** Closes a connection, with what its client has not read yet. */
    close: (address: string, port: number): void => {
      find(address, port)?.socket.destroy();
    },
    /** A command begins; call the result when it has ended. */
    began: (address: string, port: number): (() => void) => {
      const entry = find(address, port);
      if (!entry) return () => {};
      entry.commands += 1;
      clearTimeout(entry.timer);
      return () => {
        entry.commands -= 1;
        if (entry.commands === 0) closeAfter(entry, limits.idleMs);
      };
    },
    /** Closes the connections without a running command, as at a stop. */
    closeIdle: (): void => {
      for (const { socket, commands } of entries.values()) if (commands === 0) socket.destroy();
    },
  };
}
