import { InvalidArgumentError } from 'commander';

const longestLine = 1_024;

/** The first line of standard input, without its line break; for secrets, which arguments would show to all users of the machine. */
export async function readSecretLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > longestLine) break;
  }
  const [line = ''] = text.split('\n');
  if (line.length > longestLine) throw new Error(`a line of at most ${longestLine} characters`);
  return line.replace(/\r$/, '');
}

/** Reads an argument that is a whole number from 1. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 2 ** 31 - 1) {
    throw new InvalidArgumentError('It must be a whole number from 1.');
  }
  return value;
}

/** Reads a day, such as 2027-01-31. */
export function day(text: string): Date {
  const date = new Date(`${text}T00:00:00.000Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('It must be a day such as 2027-01-31.');
  }
  return date;
}
