import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCall } from '../../soap-facade/kernel/read-call.ts';
import { serviceOf } from '../../soap-facade/kernel/service.ts';
import { envelope } from '../support/soap.ts';

const service = serviceOf(readFileSync('soap-facade/service.wsdl', 'utf8'));

const parts = (body: string) => readCall(envelope(body), service).given;
const argument = (element: string) =>
  parts(`<ns1:call><sessionId/><resourcePath/>${element}</ns1:call>`)[2];

test('parts with other names are assigned by position', () => {
  expect(parts('<ns1:call><c-gensym1>s</c-gensym1><arg1>p.m</arg1><x>1</x></ns1:call>')).toEqual([
    's',
    'p.m',
    '1',
  ]);
});

test('named parts can have any order and be absent', () => {
  const call = '<ns1:call><args>1</args><sessionId>s</sessionId></ns1:call>';
  expect(parts(call)).toEqual(['s', null, '1']);
});

test('Axis sends values after the call, by reference', () => {
  const body =
    '<ns1:call><arg0 href="#id0"/><arg1 href="#id1"/><arg2 href="#id2"/></ns1:call>' +
    '<multiRef id="id0" xsi:type="SOAP-ENC:string">s</multiRef>' +
    '<multiRef id="id1" xsi:type="xsd:string">p.m</multiRef>' +
    '<multiRef id="id2" xsi:type="ns2:Map"><item><key xsi:type="xsd:string">n</key>' +
    '<value xsi:type="SOAP-ENC:int" xsi:nil="true"/></item></multiRef>';
  expect(parts(body)).toEqual(['s', 'p.m', { n: null }]);
});

test('Python sends True for true', () => {
  expect(argument('<args xsi:type="xsd:boolean">True</args>')).toBe(true);
});

test('Perl sends non-ASCII text as Base64', () => {
  expect(argument('<args xsi:type="xsd:base64Binary">Z3LDvMOfZQ==</args>')).toBe('grüße');
  expect(argument('<args xsi:type="xsd:base64Binary">//79</args>')).toEqual(
    Buffer.from([255, 254, 253]),
  );
});

test('untyped children are members, repeated ones a list', () => {
  const struct = '<args><id>3</id><tag>a</tag><tag>b</tag><deep><x>1</x></deep></args>';
  expect(argument(struct)).toEqual({ id: '3', tag: ['a', 'b'], deep: { x: '1' } });
});

test('an element of the encoding namespace has the type of its name', () => {
  expect(argument('<SOAP-ENC:int>7</SOAP-ENC:int>')).toBe(7);
  expect(argument('<SOAP-ENC:Array><x>a</x></SOAP-ENC:Array>')).toEqual(['a']);
});

test('items have the type of their array, and prefixes are arbitrary', () => {
  const array = '<args SOAP-ENC:arrayType="xsd:int[2]"><item>1</item><item>2</item></args>';
  expect(argument(array)).toEqual([1, 2]);
  const bare =
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:n="urn:millrace" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">' +
    '<e:Body><n:call><a/><b/><c i:type="xsd:int">5</c></n:call></e:Body></e:Envelope>';
  expect(readCall(bare, service).given[2]).toBe(5);
});

test('text keeps white space, and CDATA is text', () => {
  expect(argument('<args xsi:type="xsd:string"> a &#13;\r\n<![CDATA[<?xml b?>]]> </args>')).toBe(
    ' a \r\n<?xml b?> ',
  );
});

test.each([
  ['<args xsi:type="xsd:int">seven</args>', 'Invalid int'],
  ['<args xsi:type="xsd:double">1.2.3</args>', 'Invalid double'],
  ['<args xsi:type="xsd:boolean">maybe</args>', 'Invalid boolean'],
  ['<args href="#nowhere"/>', 'A reference leads nowhere'],
  ['<args href="http://localhost/x"/>', 'A reference leads nowhere'],
  ['<args id="a"><b href="#a"/></args>', 'A reference leads back to itself'],
  ['<args><b id="a"/><c id="a"/></args>', 'An id is there twice'],
  ['<args xsi:type="ns2:Map"><item><value>1</value></item></args>', 'Malformed Map'],
  ['<args><__proto__>1</__proto__></args>', 'Invalid member name'],
  ['<args SOAP-ENC:arrayType="xsd:int[2,2]"/>', 'Arrays of several dimensions are not supported'],
  ['<args/><more/>', 'Too many parameters'],
])('%s is rejected', (element, reason) => {
  expect(() => argument(element)).toThrow(reason);
});
