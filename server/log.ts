import { type DestinationStream, type Logger, pino } from 'pino';
import { redactText, redactValue } from './http/redact.ts';

export type { Logger };

/**
 * JSON lines on standard output, or to `destination`; readable text where a person looks at it. Every
 * line is redacted by the list in `http/redact.ts`.
 */
export const createLog = (
  level: string,
  isTerminal: boolean,
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (line) => redactValue(line) as Record<string, unknown>,
      },
      serializers: { err: (error: unknown) => shownFailure(error) },
      ...(isTerminal && {
        transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } },
      }),
    },
    ...(destination ? [destination] : []),
  );

interface ShownFailure {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string | number;
  readonly cause?: ShownFailure;
}

const mostCauses = 5;

/**
 * What a log tells of a failure: what it was and where. Never its other members: in the details of
 * one a database repeats the row that it refused, digests and all.
 */
export function shownFailure(error: unknown, causes = mostCauses): ShownFailure {
  if (!(error instanceof Error)) return { type: typeof error, message: saidBy(error), stack: '' };
  const { name, message, stack = '', cause, code } = error as Error & { code?: unknown };
  return {
    type: name,
    // an argument that does not fit is shown by Prisma with all its neighbours
    message: redactText(name === 'PrismaClientValidationError' ? firstLine(message) : message),
    stack: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(cause instanceof Error && causes > 0 && { cause: shownFailure(cause, causes - 1) }),
  };
}

/** The queue tells of its failures by objects that are no errors. */
const saidBy = (thrown: unknown): string => {
  const said = (thrown as { readonly message?: unknown } | null)?.message;
  return typeof said === 'string' ? redactText(firstLine(said)) : 'no error';
};

const firstLine = (text: string) => text.trim().split('\n', 1)[0] ?? '';
