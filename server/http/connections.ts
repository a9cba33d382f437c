import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { oldestOfLargestShare } from '../queueing/largest-share.ts';
import { networkOf } from '../scheduling/network.ts';

interface ConnectionLimits {
  /** In all. */
  readonly connections: number;
  /** From one address, except a trusted proxy. */
  readonly connectionsPerAddress: number;
}

interface Connection {
  readonly socket: Socket;
  /** Null: a trusted proxy, whose connections are those of many clients. */
  readonly network: string | null;
  /** The latest one. */
  response: ServerResponse<IncomingMessage> | null;
}

/** Connections beyond the limit that are open while they make room. */
const margin = 100;

/** Whether the client is awaited: for a request, the rest of one, or to read the response. */
const awaitsClient = ({ response, socket }: Connection): boolean =>
  response === null || response.closed || !response.req.complete || socket.writableLength > 0;

/**
 * Limits the connections of each address and in all. When there are too many in all, a new one gets the place of one
 * that waits for its client: the oldest one of the address that has most.
 */
export function limitConnections(
  server: Server,
  { connections: most, connectionsPerAddress }: ConnectionLimits,
  trustedProxies: readonly string[],
): void {
  const isShared = proxyAddr.compile([...trustedProxies]);
  const connections = new Map<Socket, Connection>();
  const counts = new Map<string, number>();
  const count = (network: string, change: 1 | -1) => {
    const sum = (counts.get(network) ?? 0) + change;
    if (sum > 0) counts.set(network, sum);
    else counts.delete(network);
    return sum;
  };
  const makeRoom = () => {
    const mayEnd = (connection: Connection) =>
      connection.network !== null && awaitsClient(connection);
    const networkOfConnection = ({ network }: Connection) => network ?? '';
    oldestOfLargestShare([...connections.values()], networkOfConnection, mayEnd)?.socket.destroy();
  };

  server.maxConnections = most + margin;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const isCounted = remoteAddress !== undefined && !isShared(remoteAddress, 0);
    const network = isCounted ? networkOf(remoteAddress) : null;
    if (network !== null && count(network, 1) > connectionsPerAddress) socket.destroy();
    else if (connections.size >= most) makeRoom();
    if (!socket.destroyed) connections.set(socket, { socket, network, response: null });
    socket.once('close', () => {
      connections.delete(socket);
      if (network !== null) count(network, -1);
    });
  });
  server.on('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (connection) connection.response = response;
  });
}
