import { connect, type Socket } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { envelope, message, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');

const client = (text: string) => ({ fault: { code: 'SOAP-ENV:Client', message: text } });
const badRequest = { status: 500, outcome: client('Bad Request') };

/** What a text is answered with; never a trace, a path or a part of what was sent. */
async function answerTo(text: string | Buffer, headers?: Record<string, string>) {
  const { status, type, outcome, text: answer } = await soap.post(text, headers);
  expect(type).toBe('text/xml; charset=UTF-8');
  expect(answer).not.toMatch(/node_modules|\.ts|\.js|\bat /);
  expect(answer.length).toBeLessThan(1000);
  return { status, outcome };
}

/** All that comes until the other side closes. */
async function textOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

afterEach(async () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(await soap.invoke('login', 'ada', ada.token)).toMatchObject({
    result: expect.any(String),
  });
});

describe('no message of ours', () => {
  test.each([
    ['nothing', ''],
    ['no XML', 'hello'],
    ['JSON', '{"a": 1}'],
    ['an open element', '<a>'],
    ['crossed elements', '<a><b></a></b>'],
    ['two roots', '<a/><b/>'],
    ['another root', '<a/>'],
    ['an entity nobody knows', envelope('<ns1:call>&nosuch;</ns1:call>')],
    ['an unbound prefix', envelope('<zz:call/>')],
    ['a prefix bound to nothing', '<a:b xmlns:a=""/>'],
    ['a control character', envelope('<ns1:call>&#1;</ns1:call>')],
    ['half a character', envelope('<ns1:call>&#xD800;</ns1:call>')],
  ])('%s', async (_what, text) => {
    expect(await answerTo(text)).toEqual(badRequest);
  });

  test.each([
    ['SOAP 1.2', 'http://www.w3.org/2003/05/soap-envelope'],
    ['no namespace', ''],
  ])('%s is another version', async (_what, namespace) => {
    expect(await answerTo(`<Envelope xmlns="${namespace}"><Body/></Envelope>`)).toEqual({
      status: 500,
      outcome: { fault: { code: 'SOAP-ENV:VersionMismatch', message: 'Wrong Version' } },
    });
  });

  test('an envelope without a body, and a body without a call', async () => {
    const empty = '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"/>';
    expect(await answerTo(empty)).toEqual({
      status: 500,
      outcome: client('Body must be present in a SOAP envelope'),
    });
    expect(await answerTo(envelope(''))).toEqual({
      status: 500,
      outcome: client('Body holds no call'),
    });
  });

  test('a header that must be understood stops the message', async () => {
    const withHeader = (attribute: string) =>
      message('globalFaults', null).replace(
        '<SOAP-ENV:Body>',
        `<SOAP-ENV:Header><ns1:x ${attribute}/></SOAP-ENV:Header><SOAP-ENV:Body>`,
      );
    expect(await answerTo(withHeader('SOAP-ENV:mustUnderstand="1"'))).toEqual({
      status: 500,
      outcome: { fault: { code: 'SOAP-ENV:MustUnderstand', message: 'Header not understood' } },
    });
    const { status } = await soap.post(withHeader('SOAP-ENV:mustUnderstand="0"'));
    expect(status).toBe(200);
  });
});

describe('an operation there is not', () => {
  test.each([
    '__defineGetter__',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'nothing',
    'Call',
  ])('%s', async (name) => {
    expect(await answerTo(envelope(`<ns1:${name}/>`))).toEqual({
      status: 500,
      outcome: client(`Procedure '${name}' not present`),
    });
  });

  test('one of another namespace is not ours, and a long name is not repeated', async () => {
    const other = envelope('<x:call xmlns:x="urn:other"/>');
    expect((await answerTo(other)).outcome).toEqual(client("Procedure 'call' not present"));
    expect((await answerTo(envelope(`<ns1:${'a'.repeat(9999)}/>`))).outcome).toEqual(
      client(`Procedure '${'a'.repeat(64)}' not present`),
    );
  });
});

describe('names that mean something to programs', () => {
  test('an id may be called __proto__', async () => {
    const call = envelope(
      '<ns1:endSession><sessionId id="__proto__">x</sessionId></ns1:endSession>',
    );
    expect(await answerTo(call)).toEqual({ status: 200, outcome: { result: true } });
  });

  test('an attribute may', async () => {
    const call = envelope('<ns1:endSession><sessionId __proto__="x" /></ns1:endSession>');
    expect(await answerTo(call)).toEqual({ status: 200, outcome: { result: true } });
  });

  test('a member may not', async () => {
    const member = (name: string) =>
      message('call', null, 'project.list', { [name]: { polluted: true } });
    const { outcome } = await answerTo(member('__PROTO__').replace('__PROTO__', '__proto__'));
    expect(outcome).toEqual(client('Invalid member name'));
    expect((await answerTo(member('constructor'))).outcome).toMatchObject({ fault: { code: '5' } });
  });

  test('no parameter is taken from there', async () => {
    const outcome = await soap.as(ada)('project.info', [{ constructor: 1, toString: 2 }]);
    expect(outcome).toEqual({ fault: { code: '100', message: 'id is missing' } });
  });

  test('a text in Base64 may hold what no other can', async () => {
    const name = '<a xsi:type="xsd:base64Binary">YQBkYQ==</a><b>key</b>';
    const { outcome } = await answerTo(envelope(`<ns1:login>${name}</ns1:login>`));
    expect(outcome).toMatchObject({ fault: { code: '6' } });
  });
});

describe('what would grow', () => {
  const dtd = (declarations: string, body = '') =>
    `<!DOCTYPE x [${declarations}]>${envelope(`<ns1:login>${body}</ns1:login>`)}`;

  test('a DTD is refused, whatever it declares', async () => {
    const laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">';
    const outside = '<!ENTITY a SYSTEM "file:///etc/passwd">';
    for (const declared of ['', laughs, outside]) {
      expect((await answerTo(dtd(declared, '<a>&b;</a>'))).outcome).toEqual(
        client('DTD is not allowed'),
      );
    }
    const sheet = `<?xml-stylesheet href="x"?>${message('startSession')}`;
    expect((await answerTo(sheet)).outcome).toEqual(
      client('Processing instructions are not allowed'),
    );
  });

  test('deep nesting ends at a depth', async () => {
    const deep = `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`;
    expect((await answerTo(envelope(deep))).outcome).toEqual(client('Nested too deeply'));
  });

  test('elements are counted', async () => {
    const many = `<ns1:call>${'<a/>'.repeat(60_000)}</ns1:call>`;
    expect((await answerTo(envelope(many))).outcome).toEqual(client('Too many elements'));
  });

  test('attributes are counted', async () => {
    const many = Array.from({ length: 65 }, (_, place) => ` a${place}="1"`).join('');
    expect((await answerTo(envelope(`<a${many}/>`))).outcome).toEqual(
      client('Too many attributes'),
    );
  });

  test('many prefixes above many elements cost no time', async () => {
    const declared = (level: number) =>
      Array.from({ length: 60 }, (_, place) => ` xmlns:p${level}-${place}="u"`).join('');
    const levels = Array.from({ length: 60 }, (_, level) => `<a${declared(level)}>`).join('');
    const leaves = '<a xmlns:z="u"/>'.repeat(45_000);
    const text = envelope(`${levels}${leaves}${'</a>'.repeat(60)}`);
    const { outcome } = await answerTo(text);
    expect(outcome).toEqual(client("Procedure 'a' not present"));
  });

  test('references that multiply end at a number of values', async () => {
    const levels = Array.from(
      { length: 26 },
      (_, level) => `<m id="m${level}"><a href="#m${level + 1}"/><b href="#m${level + 1}"/></m>`,
    ).join('');
    const bomb = `<ns1:call><a/><b/><c href="#m0"/></ns1:call>${levels}<m id="m26">x</m>`;
    expect((await answerTo(envelope(bomb))).outcome).toEqual(client('Too many values'));
  });

  test('references in a chain end at a depth', async () => {
    const chain = Array.from(
      { length: 1000 },
      (_, level) => `<m id="m${level}"><a href="#m${level + 1}"/></m>`,
    ).join('');
    const body = `<ns1:call><a/><b/><c href="#m0"/></ns1:call>${chain}<m id="m1000">x</m>`;
    expect((await answerTo(envelope(body))).outcome).toEqual(client('Nested too deeply'));
  });
});

describe('the body of the request', () => {
  const good = message('globalFaults', null);
  const tooLarge = { status: 413, outcome: client('Request too large') };

  test('one of 20 megabytes is refused', async () => {
    expect(await answerTo(`${good}${' '.repeat(20 * 2 ** 20)}`)).toEqual(tooLarge);
  });

  test('one that says it has a terabyte is refused before it comes', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /api/soap HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: 1099511627776\r\n\r\n<',
    );
    const answer = await textOf(socket);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('Request too large');
  });

  test.each(['gzip', 'x-gzip', 'deflate'])(
    '%s is unpacked, as far as it may grow',
    async (name) => {
      const pack = name === 'deflate' ? deflateSync : gzipSync;
      const { status } = await soap.post(pack(good), { 'Content-Encoding': name });
      expect(status).toBe(200);
      const bomb = pack(Buffer.alloc(64 * 2 ** 20));
      expect(await answerTo(bomb, { 'Content-Encoding': name })).toEqual(tooLarge);
      expect(await answerTo(good, { 'Content-Encoding': name })).toEqual(badRequest);
      expect(await answerTo(pack(good).subarray(0, -9), { 'Content-Encoding': name })).toEqual(
        badRequest,
      );
    },
  );

  test('other encodings and types are refused', async () => {
    const refused = (text: string) => ({ status: 415, outcome: client(text) });
    expect(await answerTo(good, { 'Content-Encoding': 'br' })).toEqual(
      refused('Unsupported content encoding'),
    );
    for (const type of ['text/html', 'application/soap+xml', 'application/json', '']) {
      expect(await answerTo(good, { 'Content-Type': type })).toEqual(
        refused('Unsupported content type'),
      );
    }
    expect(await answerTo(good, { 'Content-Type': 'text/xml; charset=utf-7' })).toEqual(
      refused('Unsupported charset'),
    );
  });

  test('text is decoded in its charset, given in the header or in the message', async () => {
    const named = (charset: string) =>
      `${charset && `<?xml version="1.0" encoding="${charset}"?>`}${message('login', 'grüße', 'x')}`;
    const latin1 = (charset: string) => Buffer.from(named(charset), 'latin1');
    const denied = { status: 500, outcome: { fault: { code: '2', message: 'Access denied.' } } };
    const bare = { 'Content-Type': 'text/xml' };
    expect(await answerTo(latin1('ISO-8859-1'), bare)).toEqual(denied);
    const header = { 'Content-Type': 'text/xml; charset="iso-8859-1"' };
    expect(await answerTo(latin1(''), header)).toEqual(denied);
    expect(await answerTo(latin1(''))).toEqual(badRequest);
    const wide = Buffer.from(`\ufeff${named('')}`, 'utf16le');
    expect(await answerTo(wide, { 'Content-Type': 'text/xml; charset=utf-16' })).toEqual(denied);
  });

  test('a character that is cut off is refused', async () => {
    const cut = Buffer.from(good.replace('null', 'ü')).subarray(0, -3);
    expect(await answerTo(Buffer.concat([cut, Buffer.from([0xc3])]))).toEqual(badRequest);
  });

  test('one that comes in pieces is put together, also within a character', async () => {
    const bytes = Buffer.from(message('login', 'grüße', 'x'));
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.write(
      `POST /api/soap HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    const middle = bytes.indexOf(0xc3) + 1;
    for (const piece of [bytes.subarray(0, middle), bytes.subarray(middle)]) {
      await new Promise((resolve) => socket.write(piece, resolve));
    }
    const answer = await textOf(socket);
    expect(answer).toContain('<faultcode>2</faultcode>');
  });
});
