import type { ServerResponse } from 'node:http';
import { disconnectSignal } from '../../schema/client/disconnect-signal.ts';
import { refusedDocument } from './refused-document.ts';

export interface Execution {
  /** Aborted when the client disconnects, or at the time limit, with an error to send. */
  readonly signal: AbortSignal;
  /** Stops the timer. */
  readonly end: () => void;
}

/** Starts the time limit of an execution, in milliseconds. */
export function startExecution(res: ServerResponse, time: number): Execution {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const seconds = Math.ceil(time / 1000);
    controller.abort(refusedDocument(`The execution took longer than ${seconds} seconds`));
  }, time);
  return {
    signal: AbortSignal.any([disconnectSignal(res), controller.signal]),
    end: () => clearTimeout(timer),
  };
}
