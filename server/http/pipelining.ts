import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Turn = readonly [IncomingMessage, ServerResponse];

/** The requests of one connection: the running one, and those pipelined after it. */
interface Line {
  isBusy: boolean;
  readonly waiting: Turn[];
}

/**
 * Handles the requests of one connection one after another. Node parses all requests that a client
 * pipelines, and would start all of them at once: two thousand in one packet. A
 * connection with more than `most` waiting requests is closed.
 */
export function inTurn(listener: RequestListener, most: number): RequestListener {
  const lines = new WeakMap<Socket, Line>();

  const start = (line: Line, [request, response]: Turn): void => {
    line.isBusy = true;
    response.once('close', startNext);
    listener(request, response);
  };
  /** One function for all responses: a closure for each would slow down every request. */
  function startNext(this: ServerResponse): void {
    const { socket } = this.req;
    const line = lines.get(socket);
    if (!line) return;
    const next = socket.destroyed ? undefined : line.waiting.shift();
    if (next) start(line, next);
    else line.isBusy = false;
  }
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    let line = lines.get(socket);
    if (!line) {
      line = { isBusy: false, waiting: [] };
      lines.set(socket, line);
    }
    if (!line.isBusy) start(line, [request, response]);
    else if (line.waiting.length < most) line.waiting.push([request, response]);
    else socket.destroy();
  };
}
