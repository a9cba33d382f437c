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

/** The response to a message; it must not contain stack traces, paths or parts of the message. */
async function responseTo(text: string | Buffer, headers?: Record<string, string>) {
  const { status, type, outcome, text: responseText } = await soap.post(text, headers);
  expect(type).toBe('text/xml; charset=UTF-8');
  expect(responseText).not.toMatch(/node_modules|\.ts|\.js|\bat /);
  expect(responseText.length).toBeLessThan(1000);
  return { status, outcome };
}

/** Reads until the other side closes the connection. */
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

describe('an invalid message', () => {
  test.each([
    ['empty', ''],
    ['not XML', 'hello'],
    ['JSON', '{"a": 1}'],
    ['an unclosed element', '<a>'],
    ['crossed elements', '<a><b></a></b>'],
    ['two roots', '<a/><b/>'],
    ['another root', '<a/>'],
    ['an unknown entity', envelope('<ns1:call>&nosuch;</ns1:call>')],
    ['an unbound prefix', envelope('<zz:call/>')],
    ['a prefix bound to nothing', '<a:b xmlns:a=""/>'],
    ['a control character', envelope('<ns1:call>&#1;</ns1:call>')],
    ['a lone surrogate', envelope('<ns1:call>&#xD800;</ns1:call>')],
  ])('%s', async (_what, text) => {
    expect(await responseTo(text)).toEqual(badRequest);
  });

  test.each([
    ['SOAP 1.2', 'http://www.w3.org/2003/05/soap-envelope'],
    ['no namespace', ''],
  ])('an envelope with %s has another version', async (_what, namespace) => {
    expect(await responseTo(`<Envelope xmlns="${namespace}"><Body/></Envelope>`)).toEqual({
      status: 500,
      outcome: { fault: { code: 'SOAP-ENV:VersionMismatch', message: 'Wrong Version' } },
    });
  });

  test('an envelope has a body, and the body a call', async () => {
    const empty = '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"/>';
    expect(await responseTo(empty)).toEqual({
      status: 500,
      outcome: client('Body must be present in a SOAP envelope'),
    });
    expect(await responseTo(envelope(''))).toEqual({
      status: 500,
      outcome: client('Body holds no call'),
    });
  });

  test('an unknown header with mustUnderstand is a fault', async () => {
    const withHeader = (attribute: string) =>
      message('globalFaults', null).replace(
        '<SOAP-ENV:Body>',
        `<SOAP-ENV:Header><ns1:x ${attribute}/></SOAP-ENV:Header><SOAP-ENV:Body>`,
      );
    expect(await responseTo(withHeader('SOAP-ENV:mustUnderstand="1"'))).toEqual({
      status: 500,
      outcome: { fault: { code: 'SOAP-ENV:MustUnderstand', message: 'Header not understood' } },
    });
    const { status } = await soap.post(withHeader('SOAP-ENV:mustUnderstand="0"'));
    expect(status).toBe(200);
  });
});

describe('an unknown operation', () => {
  test.each([
    '__defineGetter__',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'nothing',
    'Call',
  ])('%s', async (name) => {
    expect(await responseTo(envelope(`<ns1:${name}/>`))).toEqual({
      status: 500,
      outcome: client(`Procedure '${name}' not present`),
    });
  });

  test('of another namespace is a fault, which truncates long names', async () => {
    const otherNamespace = envelope('<x:call xmlns:x="urn:other"/>');
    expect((await responseTo(otherNamespace)).outcome).toEqual(
      client("Procedure 'call' not present"),
    );
    expect((await responseTo(envelope(`<ns1:${'a'.repeat(9999)}/>`))).outcome).toEqual(
      client(`Procedure '${'a'.repeat(64)}' not present`),
    );
  });
});

describe('names of object properties', () => {
  test('an id can be __proto__', async () => {
    const call = envelope(
      '<ns1:endSession><sessionId id="__proto__">x</sessionId></ns1:endSession>',
    );
    expect(await responseTo(call)).toEqual({ status: 200, outcome: { result: true } });
  });

  test('an attribute can be __proto__', async () => {
    const call = envelope('<ns1:endSession><sessionId __proto__="x" /></ns1:endSession>');
    expect(await responseTo(call)).toEqual({ status: 200, outcome: { result: true } });
  });

  test('a member cannot be __proto__', async () => {
    const member = (name: string) =>
      message('call', null, 'project.list', { [name]: { polluted: true } });
    const { outcome } = await responseTo(member('__PROTO__').replace('__PROTO__', '__proto__'));
    expect(outcome).toEqual(client('Invalid member name'));
    expect((await responseTo(member('constructor'))).outcome).toMatchObject({
      fault: { code: '5' },
    });
  });

  test('inherited members are no parameters', async () => {
    const outcome = await soap.as(ada)('project.info', [{ constructor: 1, toString: 2 }]);
    expect(outcome).toEqual({ fault: { code: '100', message: 'id is missing' } });
  });

  test('a Base64 text can contain NUL', async () => {
    const name = '<a xsi:type="xsd:base64Binary">YQBkYQ==</a><b>key</b>';
    const { outcome } = await responseTo(envelope(`<ns1:login>${name}</ns1:login>`));
    expect(outcome).toMatchObject({ fault: { code: '6' } });
  });
});

describe('limits of a message', () => {
  const dtd = (declarations: string, body = '') =>
    `<!DOCTYPE x [${declarations}]>${envelope(`<ns1:login>${body}</ns1:login>`)}`;

  test('rejects every DTD and processing instruction', async () => {
    const laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">';
    const outside = '<!ENTITY a SYSTEM "file:///etc/passwd">';
    for (const declared of ['', laughs, outside]) {
      expect((await responseTo(dtd(declared, '<a>&b;</a>'))).outcome).toEqual(
        client('DTD is not allowed'),
      );
    }
    const sheet = `<?xml-stylesheet href="x"?>${message('startSession')}`;
    expect((await responseTo(sheet)).outcome).toEqual(
      client('Processing instructions are not allowed'),
    );
  });

  test('rejects elements that are nested too deeply', async () => {
    const deep = `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`;
    expect((await responseTo(envelope(deep))).outcome).toEqual(client('Nested too deeply'));
  });

  test('rejects too many elements', async () => {
    const many = `<ns1:call>${'<a/>'.repeat(60_000)}</ns1:call>`;
    expect((await responseTo(envelope(many))).outcome).toEqual(client('Too many elements'));
  });

  test('rejects too many attributes', async () => {
    const many = Array.from({ length: 65 }, (_, place) => ` a${place}="1"`).join('');
    expect((await responseTo(envelope(`<a${many}/>`))).outcome).toEqual(
      client('Too many attributes'),
    );
  });

  test('parses many prefixes above many elements in linear time', async () => {
    const declared = (level: number) =>
      Array.from({ length: 60 }, (_, place) => ` xmlns:p${level}-${place}="u"`).join('');
    const levels = Array.from({ length: 60 }, (_, level) => `<a${declared(level)}>`).join('');
    const leaves = '<a xmlns:z="u"/>'.repeat(45_000);
    const text = envelope(`${levels}${leaves}${'</a>'.repeat(60)}`);
    const { outcome } = await responseTo(text);
    expect(outcome).toEqual(client("Procedure 'a' not present"));
  });

  test('rejects references that multiply to too many values', async () => {
    const levels = Array.from(
      { length: 26 },
      (_, level) => `<m id="m${level}"><a href="#m${level + 1}"/><b href="#m${level + 1}"/></m>`,
    ).join('');
    const bomb = `<ns1:call><a/><b/><c href="#m0"/></ns1:call>${levels}<m id="m26">x</m>`;
    expect((await responseTo(envelope(bomb))).outcome).toEqual(client('Too many values'));
  });

  test('rejects a chain of references that is too long', async () => {
    const chain = Array.from(
      { length: 1000 },
      (_, level) => `<m id="m${level}"><a href="#m${level + 1}"/></m>`,
    ).join('');
    const body = `<ns1:call><a/><b/><c href="#m0"/></ns1:call>${chain}<m id="m1000">x</m>`;
    expect((await responseTo(envelope(body))).outcome).toEqual(client('Nested too deeply'));
  });
});

describe('a request body', () => {
  const good = message('globalFaults', null);
  const tooLarge = { status: 413, outcome: client('Request too large') };

  test('of 20 megabytes is rejected', async () => {
    expect(await responseTo(`${good}${' '.repeat(20 * 2 ** 20)}`)).toEqual(tooLarge);
  });

  test('with a declared length of a terabyte is rejected before it arrives', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /api/soap HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: 1099511627776\r\n\r\n<',
    );
    const responseText = await textOf(socket);
    expect(responseText).toMatch(/^HTTP\/1.1 413 /);
    expect(responseText).toContain('Request too large');
  });

  test.each(['gzip', 'x-gzip', 'deflate'])(
    'in %s is decompressed up to the size limit',
    async (name) => {
      const pack = name === 'deflate' ? deflateSync : gzipSync;
      const { status } = await soap.post(pack(good), { 'Content-Encoding': name });
      expect(status).toBe(200);
      const bomb = pack(Buffer.alloc(64 * 2 ** 20));
      expect(await responseTo(bomb, { 'Content-Encoding': name })).toEqual(tooLarge);
      expect(await responseTo(good, { 'Content-Encoding': name })).toEqual(badRequest);
      expect(await responseTo(pack(good).subarray(0, -9), { 'Content-Encoding': name })).toEqual(
        badRequest,
      );
    },
  );

  test('in another encoding or type is rejected', async () => {
    const unsupported = (text: string) => ({ status: 415, outcome: client(text) });
    expect(await responseTo(good, { 'Content-Encoding': 'br' })).toEqual(
      unsupported('Unsupported content encoding'),
    );
    for (const type of ['text/html', 'application/soap+xml', 'application/json', '']) {
      expect(await responseTo(good, { 'Content-Type': type })).toEqual(
        unsupported('Unsupported content type'),
      );
    }
    expect(await responseTo(good, { 'Content-Type': 'text/xml; charset=utf-7' })).toEqual(
      unsupported('Unsupported charset'),
    );
  });

  test('is decoded in the charset of its header or its XML declaration', async () => {
    const named = (charset: string) =>
      `${charset && `<?xml version="1.0" encoding="${charset}"?>`}${message('login', 'grüße', 'x')}`;
    const latin1 = (charset: string) => Buffer.from(named(charset), 'latin1');
    const denied = { status: 500, outcome: { fault: { code: '2', message: 'Access denied.' } } };
    const bare = { 'Content-Type': 'text/xml' };
    expect(await responseTo(latin1('ISO-8859-1'), bare)).toEqual(denied);
    const header = { 'Content-Type': 'text/xml; charset="iso-8859-1"' };
    expect(await responseTo(latin1(''), header)).toEqual(denied);
    expect(await responseTo(latin1(''))).toEqual(badRequest);
    const wide = Buffer.from(`\ufeff${named('')}`, 'utf16le');
    expect(await responseTo(wide, { 'Content-Type': 'text/xml; charset=utf-16' })).toEqual(denied);
  });

  test('with a truncated character is rejected', async () => {
    const cut = Buffer.from(good.replace('null', 'ü')).subarray(0, -3);
    expect(await responseTo(Buffer.concat([cut, Buffer.from([0xc3])]))).toEqual(badRequest);
  });

  test('may be split within a character', async () => {
    const bytes = Buffer.from(message('login', 'grüße', 'x'));
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.write(
      `POST /api/soap HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    const middle = bytes.indexOf(0xc3) + 1;
    for (const chunk of [bytes.subarray(0, middle), bytes.subarray(middle)]) {
      await new Promise((resolve) => socket.write(chunk, resolve));
    }
    const responseText = await textOf(socket);
    expect(responseText).toContain('<faultcode>2</faultcode>');
  });
});
