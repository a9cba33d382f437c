import { malformed } from './body-error.ts';

const deepest = 20;
const mostValues = 10_000;

/** Refuses JSON with too many levels or values; iterative, so that it cannot overflow the stack. */
function checkSize(root: object): void {
  let values = 0;
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > deepest) throw malformed();
    const below: object[] = [];
    for (const parent of level) {
      for (const value of Object.values(parent)) {
        values += 1;
        if (typeof value === 'object' && value !== null) below.push(value);
      }
    }
    if (values > mostValues) throw malformed();
    level = below;
  }
}

/** Parses a JSON object; `null` is one without values, and a body with any other value is refused. */
export function parseJsonBody(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed();
  checkSize(value);
  return value as Record<string, unknown>;
}
