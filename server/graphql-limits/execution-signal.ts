import type { ServerResponse } from 'node:http';
import { disconnectSignal } from '../../schema/client/disconnect-signal.ts';
import { refusedDocument } from './refused-document.ts';

/**
 * Starts the time limit of an execution, in milliseconds. The signal is aborted when the client
 * disconnects, or at the limit, with an error to send; `end` stops the timer.
 */
export function startExecution(res: ServerResponse, time: number) {
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
