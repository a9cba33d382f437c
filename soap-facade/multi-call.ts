import type { RequestFacts } from '../schema/client/execute.ts';
import { encode, encodedArray } from './kernel/encode.ts';
import {
  clientFault,
  globalFaults,
  listedFault,
  SoapFault,
  tooLargeMessage,
} from './kernel/faults.ts';
import { isMap, type Value } from './kernel/value.ts';
import type { EncodeResult } from './kernel/visit.ts';

const mostCalls = 1000;
/** Characters of a multiCall response; each call whose result would exceed it fails. */
const longestAnswer = 16 * 2 ** 20;

/** Runs one call; throws a fault, also if the session has ended since the call before. */
export type CallOne = (path: Value, args: Value) => Promise<unknown>;

/** One call of the list: a path, with or without arguments. */
function readCall(call: Value): readonly [Value, Value] {
  const [path = null, args = null] = Array.isArray(call)
    ? call
    : isMap(call)
      ? Object.values(call)
      : [];
  return [path, args];
}

const failed = ({ code, message }: SoapFault) =>
  encode('item', { isFault: true, faultCode: code, faultMessage: message });

const isBreaking = (options: Value) =>
  isMap(options) && ['1', 'true'].includes(String(options.break));

/**
 * Runs calls in order. The result of each is its value, or a map that describes its fault. With
 * `break` the first fault ends the list.
 */
export async function multiCall(
  calls: Value,
  options: Value,
  request: RequestFacts,
  callOne: CallOne,
): Promise<EncodeResult> {
  const listed = isMap(calls) ? Object.values(calls) : (calls ?? []);
  if (!Array.isArray(listed)) throw listedFault(globalFaults.parameterMissing);
  if (listed.length > mostCalls) throw clientFault('Too many calls');
  const outcomes: string[] = [];
  let length = 0;
  for (const call of listed as readonly Value[]) {
    // the caller has disconnected
    if (request.signal?.aborted) break;
    let outcome: string;
    let isFault = false;
    try {
      outcome = encode('item', await callOne(...readCall(call)));
      if (length + outcome.length > longestAnswer) {
        throw listedFault(globalFaults.internal, tooLargeMessage);
      }
      length += outcome.length;
    } catch (error) {
      if (!(error instanceof SoapFault)) throw error;
      outcome = failed(error);
      isFault = true;
    }
    outcomes.push(outcome);
    if (isFault && isBreaking(options)) break;
  }
  return (part) => encodedArray(part, outcomes);
}
