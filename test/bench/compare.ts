import { type BenchRequest, sent } from './load.ts';

/** Headers in which two responses to the same request may differ. */
const different = new Set(['x-request-id', 'x-runtime', 'date']);

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Which response headers are compared; all but `different` by default. */
export interface Comparison {
  readonly only?: readonly string[];
  /** Removes from a body the values in which two equal records differ. */
  readonly likeness?: (body: string) => string;
}

/** Throws if the two servers' responses to one of `requests` differ in status, headers or body. */
export async function compare(
  urls: readonly [string, string],
  requests: readonly BenchRequest[],
  comparison: Comparison = {},
): Promise<void> {
  for (const request of requests) {
    const [ours, twin] = await Promise.all(urls.map((url) => answerTo(url, request, comparison)));
    if (!ours || !twin) return;
    const faults = [
      ...(ours.status === (request.body === undefined ? 200 : 201)
        ? []
        : [`responded with ${ours.status}`]),
      ...(ours.status === twin.status ? [] : [`status ${ours.status} and ${twin.status}`]),
      ...ours.headers.filter((line) => !twin.headers.includes(line)).map((line) => `ours ${line}`),
      ...twin.headers.filter((line) => !ours.headers.includes(line)).map((line) => `twin ${line}`),
      ...(ours.body.equals(twin.body) ? [] : [bodies(ours.body, twin.body)]),
    ];
    if (faults.length > 0)
      throw new Error(
        `${shortened(request.path)} differs:\n  ${faults.map(shortened).join('\n  ')}`,
      );
  }
}

const longest = 400;

const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

async function answerTo(
  url: string,
  request: BenchRequest,
  { only, likeness }: Comparison,
): Promise<Answer> {
  const response = await fetch(`${url}${request.path}`, sent(request));
  const isCounted = (name: string) => !likeness || name !== 'content-length';
  const lines = [...response.headers]
    .filter(([name]) => (only ? only.includes(name) : !different.has(name) && isCounted(name)))
    .map(([name, value]) => `${name}: ${value}`);
  const body = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: lines,
    body: likeness ? Buffer.from(likeness(body.toString())) : body,
  };
}

function bodies(ours: Buffer, twin: Buffer): string {
  let at = 0;
  while (at < ours.length && ours[at] === twin[at]) at += 1;
  const part = (body: Buffer) => body.toString('latin1', Math.max(0, at - 40), at + 40);
  return `body at byte ${at} of ${ours.length} and ${twin.length}: …${part(ours)}… and …${part(twin)}…`;
}
