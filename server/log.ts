import { type DestinationStream, type Logger, pino } from 'pino';
import { activeTracer } from '../schema/kernel/tracing.ts';
import { redactText, redactValue } from './http/redact.ts';

export type { Logger };

/**
 * JSON lines on standard output, or to `destination`; readable text in a terminal. Every
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
        log: (line) => redactValue(withTrace(line)) as Record<string, unknown>,
      },
      serializers: { err: (error: unknown) => shownFailure(error) },
      ...(isTerminal && {
        transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } },
      }),
    },
    ...(destination ? [destination] : []),
  );

/** Adds the id of the trace that is recorded, if any. */
function withTrace(line: Record<string, unknown>): Record<string, unknown> {
  const traceId = activeTracer()?.traceId();
  return traceId ? { trace_id: traceId, ...line } : line;
}

interface ShownFailure {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string | number;
  readonly cause?: ShownFailure;
}

const mostCauses = 5;

/**
 * The message and stack of an error. Its other members are left out: in the details of a database
 * error PostgreSQL repeats the refused row, including digests.
 */
export function shownFailure(error: unknown, causes = mostCauses): ShownFailure {
  if (!(error instanceof Error))
    return { type: typeof error, message: messageOf(error), stack: '' };
  const { name, message, stack = '', cause, code } = error as Error & { code?: unknown };
  return {
    type: name,
    // Prisma repeats an invalid argument with all others
    message: redactText(name === 'PrismaClientValidationError' ? firstLine(message) : message),
    stack: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(cause instanceof Error && causes > 0 && { cause: shownFailure(cause, causes - 1) }),
  };
}

/** The queue reports failures as objects that are not errors. */
const messageOf = (thrown: unknown): string => {
  const message = (thrown as { readonly message?: unknown } | null)?.message;
  return typeof message === 'string' ? redactText(firstLine(message)) : 'no error';
};

const firstLine = (text: string) => text.trim().split('\n', 1)[0] ?? '';
