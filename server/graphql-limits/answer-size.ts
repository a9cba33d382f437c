import type { ExecutionResult } from 'graphql';
import { refusedDocument } from './refused-document.ts';

/** Characters; serializing blocks the event loop. */
const longestAnswer = 16 * 2 ** 20;

const mostErrors = 50;
const longestMessage = 1_000;

/** The response, or an error in its place if it is too long. */
export function boundedAnswer(result: ExecutionResult): ExecutionResult {
  if (isLonger(result.data, longestAnswer)) {
    const limit = `${longestAnswer / 2 ** 20} MB`;
    return { errors: [refusedDocument(`The answer is longer than the limit of ${limit}`)] };
  }
  const { errors } = result;
  return errors && errors.length > mostErrors
    ? { ...result, errors: errors.slice(0, mostErrors) }
    : result;
}

/** Error messages repeat names from the document, of any length. */
export const shortened = (message: string): string =>
  message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;

/** Whether a value would be longer than `most` as JSON, without writing it. */
function isLonger(root: unknown, most: number): boolean {
  const waiting: unknown[] = [root];
  let length = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') length += value.length + 2;
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        length += key.length + 4;
        waiting.push(inner);
      }
    } else length += 4;
    if (length > most) return true;
  }
  return false;
}
