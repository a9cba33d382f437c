import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { packetLine } from '../../server/git-http/protocol.ts';
import { pushOutput } from '../../server/git-http/side-band.ts';

const report = `${packetLine('unpack ok\n')}${packetLine('ok refs/heads/a\n')}0000`;
const advertisement = `${packetLine(`${'0'.repeat(40)} refs/heads/a\0report-status\n`)}0000`;
const sideBand = `${packetLine(`\u0001${report}`)}0000`;

/** What a client gets of an output that arrives in `chunks`, with a line. */
async function sent(chunks: readonly string[]): Promise<string> {
  const { stream, end } = pushOutput(Readable.from(chunks.map((chunk) => Buffer.from(chunk))));
  const first = await buffer(stream);
  return Buffer.concat([first, end(['Look here'])]).toString();
}

const splits = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)]);

const withLine = `${sideBand.slice(0, -4)}${packetLine('\u0002Look here\n')}0000`;

test('a line follows the report, wherever the output is cut', async () => {
  for (const chunks of [[sideBand], sideBand.split(''), ...splits(sideBand)])
    expect(await sent(chunks), JSON.stringify(chunks)).toBe(withLine);
});

test('a client without a side band gets no line', async () => {
  for (const chunks of [[report], report.split(''), ...splits(report)])
    expect(await sent(chunks)).toBe(report);
});

test('a client of SSH gets the references before git has exited', async () => {
  const output = new PassThrough();
  const { stream } = pushOutput(output);
  output.write(advertisement);
  expect(String((await once(stream, 'data'))[0])).toBe(advertisement);
});

test('text that ends with zeros is passed on', async () => {
  const progress = packetLine('\u00021000000');
  const { stream } = pushOutput(Readable.from([Buffer.from(progress), Buffer.from(sideBand)]));
  expect(await buffer(stream)).toEqual(Buffer.from(`${progress}${sideBand}`.slice(0, -4)));
});
