import type { Caller } from '../schema/client/endpoint.ts';
import { encode, encodedArray } from './kernel/encode.ts';
import { clientFault, globalFaults, listedFault, SoapFault } from './kernel/faults.ts';
import { isMap, type Value } from './kernel/value.ts';
import type { Written } from './kernel/visit.ts';

const mostCalls = 1000;
/** Characters of an answer to many calls; whatever would go beyond is refused by itself. */
const longestAnswer = 16 * 2 ** 20;

/** Gives what one call gives, or throws a fault. */
export type CallOne = (path: Value, args: Value, caller: Caller) => Promise<unknown>;

/** A call as it is listed: a path, with arguments or without. */
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
 * Calls in order, each with its own outcome: what it gives, or a map that tells of its fault. With
 * `break` the first fault is the last outcome.
 */
export async function multiCall(
  calls: Value,
  options: Value,
  caller: Caller,
  callOne: CallOne,
): Promise<Written> {
  const listed = isMap(calls) ? Object.values(calls) : (calls ?? []);
  if (!Array.isArray(listed)) throw listedFault(globalFaults.parameterMissing);
  if (listed.length > mostCalls) throw clientFault('Too many calls');
  const outcomes: string[] = [];
  let length = 0;
  for (const call of listed as readonly Value[]) {
    // nobody waits for the rest
    if (caller.request.signal?.aborted) break;
    let outcome: string;
    let isFault = false;
    try {
      outcome = encode('item', await callOne(...readCall(call), caller));
      if (length + outcome.length > longestAnswer) {
        throw listedFault(globalFaults.internal, 'The answer is too large.');
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
