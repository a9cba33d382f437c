import { expect, test } from 'vitest';
import { encode } from '../../soap-facade/kernel/encode.ts';

const array = (count: number, items = '') =>
  `<v SOAP-ENC:arrayType="xsd:anyType[${count}]" xsi:type="SOAP-ENC:Array">${items}</v>`;

test.each([
  [null, '<v xsi:nil="true"/>'],
  [undefined, '<v xsi:nil="true"/>'],
  [true, '<v xsi:type="xsd:boolean">true</v>'],
  [-0, '<v xsi:type="xsd:int">0</v>'],
  [2 ** 31, '<v xsi:type="xsd:long">2147483648</v>'],
  [1.5, '<v xsi:type="xsd:double">1.5</v>'],
  [Number.NEGATIVE_INFINITY, '<v xsi:type="xsd:double">-INF</v>'],
  [12n, '<v xsi:type="xsd:integer">12</v>'],
  ['a<b>&"\r\n', '<v xsi:type="xsd:string">a&lt;b&gt;&amp;"&#13;\n</v>'],
  ['\u0000\u001b[1m\ud800\uffff😀', '<v xsi:type="xsd:string">��[1m��😀</v>'],
  [new Date(0), '<v xsi:type="xsd:string">1970-01-01T00:00:00.000Z</v>'],
  [Buffer.from('ab'), '<v xsi:type="xsd:base64Binary">YWI=</v>'],
  [[], array(0)],
  [{}, array(0)],
  [[1], array(1, '<item xsi:type="xsd:int">1</item>')],
  [
    { 'a<': null, absent: undefined },
    '<v xsi:type="ns2:Map"><item><key xsi:type="xsd:string">a&lt;</key><value xsi:nil="true"/></item></v>',
  ],
])('value %# is encoded with its type', (value, xml) => {
  expect(encode('v', value)).toBe(xml);
});
