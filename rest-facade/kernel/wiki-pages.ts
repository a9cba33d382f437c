import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Outcome } from '../../schema/client/endpoint.ts';

/** A wiki page and its content. */
interface Page {
  readonly shown: object;
  open(): Promise<Buffer | Readable>;
}

/** How many contents are read ahead. */
const ahead = 16;

const headers = { 'Content-Type': 'application/json' };

/** A list of pages without contents; the core gives it as JSON text. */
export const wikiTextResponse = (text: string): Outcome => ({
  status: 200,
  headers,
  body: Buffer.from(text),
});

/** A list of pages with their contents, streamed: memory use does not grow with their number. */
export const wikiPagesResponse = (pages: readonly Page[]): Outcome => ({
  status: 200,
  headers,
  body: Readable.from(parts(pages)),
});

async function* parts(pages: readonly Page[]): AsyncGenerator<string> {
  yield '[';
  for (let at = 0; at < pages.length; at += ahead) {
    const batch = pages.slice(at, at + ahead);
    const opened = await Promise.all(batch.map((page) => page.open()));
    try {
      for (const [index, { shown }] of batch.entries()) {
        yield `${at + index > 0 ? ',' : ''}${JSON.stringify(shown).slice(0, -1)},"content":"`;
        yield* textOf(opened[index] ?? Buffer.alloc(0));
        yield '"}';
      }
    } finally {
      for (const content of opened) if (!Buffer.isBuffer(content)) content.destroy();
    }
  }
  yield ']';
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** Content escaped for a JSON string, without the quotes. */
async function* textOf(content: Buffer | Readable): AsyncGenerator<string> {
  if (Buffer.isBuffer(content)) {
    yield escaped(content.toString());
    return;
  }
  const decoder = new StringDecoder();
  for await (const chunk of content) yield escaped(decoder.write(chunk as Buffer));
  yield escaped(decoder.end());
}
