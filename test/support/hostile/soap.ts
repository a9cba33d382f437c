import { envelope, message } from '../soap.ts';
import { type HostileCase, statusOf, worstOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const room = 1_000_000;

const post = async ({ soap }: HostileTarget, text: string) => (await soap.post(text)).status;

const call = (parameter: string) => envelope(`<ns1:login>${parameter}</ns1:login>`);

const array = (count: string, items: string) =>
  `<a SOAP-ENC:arrayType="xsd:string[${count}]" xsi:type="SOAP-ENC:Array">${items}</a>`;

/** SOAP messages; a fault has status 500, as SOAP 1.1 over HTTP requires. */
export const soapCases: readonly HostileCase[] = [
  {
    title: 'a SOAP message of 300,000 nested elements',
    expected: [500],
    send: (target) => post(target, call('<a>'.repeat(room / 3))),
  },
  {
    title: 'a SOAP message of 250,000 empty elements',
    expected: [500],
    send: (target) => post(target, call('<a/>'.repeat(room / 4))),
  },
  {
    title: 'an element of 100,000 attributes',
    expected: [500],
    send: (target) =>
      post(
        target,
        call(
          `<a ${Array.from({ length: 100_000 }, (_, at) => `b${at}=""`).join(' ')}/>`.slice(
            0,
            room,
          ),
        ),
      ),
  },
  {
    title: 'one attribute that occurs 100,000 times',
    expected: [500],
    send: (target) => post(target, call(`<a ${'b="" '.repeat(100_000)}/>`)),
  },
  {
    title: 'a DTD whose entities double forty times',
    expected: [500],
    send: (target) =>
      post(
        target,
        `<!DOCTYPE x [<!ENTITY a0 "a">${Array.from({ length: 40 }, (_, at) => `<!ENTITY a${at + 1} "&a${at};&a${at};">`).join('')}]>${call('<a>&a40;</a>')}`,
      ),
  },
  {
    title: 'a text of 200,000 character references',
    expected: [500],
    send: (target) => post(target, call(`<a>${'&amp;'.repeat(room / 5)}</a><b>x</b>`)),
  },
  {
    title: 'a text of 200,000 CDATA openings',
    expected: [500],
    send: (target) => post(target, call(`<a>${'<![CDATA['.repeat(room / 9)}</a>`)),
  },
  {
    title: 'a comment that does not end',
    expected: [500],
    send: (target) => post(target, call(`<!--${'-'.repeat(room)}`)),
  },
  {
    title: 'angle brackets without names',
    expected: [500],
    send: (target) => post(target, '<'.repeat(room)),
  },
  {
    title: 'an array that declares two billion items',
    expected: [500],
    send: (target) => post(target, call(array('2000000000', '<i>x</i>'))),
  },
  {
    title: 'an array of 60,000 items',
    expected: [500],
    send: (target) => post(target, call(array('60000', '<i>x</i>'.repeat(60_000)))),
  },
  {
    title: 'references that multiply to 2^30 values',
    expected: [500],
    send: (target) =>
      post(
        target,
        envelope(
          `<ns1:login><a href="#r0"/></ns1:login>${Array.from({ length: 30 }, (_, at) => `<m id="r${at}" SOAP-ENC:arrayType="xsd:anyType[2]" xsi:type="SOAP-ENC:Array"><i href="#r${at + 1}"/><i href="#r${at + 1}"/></m>`).join('')}<m id="r30">x</m>`,
        ),
      ),
  },
  {
    title: 'a reference to itself',
    expected: [500],
    send: (target) =>
      post(target, envelope('<ns1:login><a href="#r"/></ns1:login><m id="r" href="#r"/>')),
  },
  {
    title: '5,000 namespace prefixes above 20,000 elements',
    expected: [500],
    send: (target) =>
      post(
        target,
        call(
          `<a ${Array.from({ length: 5_000 }, (_, at) => `xmlns:p${at}="u:${at}"`).join(' ')}>${'<b/>'.repeat(20_000)}</a>`,
        ),
      ),
  },
  {
    title: 'a SOAP session id of 900,000 characters',
    expected: [500],
    send: (target) =>
      post(target, envelope(`<ns1:call><s>${'a'.repeat(900_000)}</s><p>x</p></ns1:call>`)),
  },
  {
    title: 'a multiCall of 1,000 listings',
    expected: [200],
    send: async (target) => {
      const session = await target.soap.session(target.attacker);
      const calls = Array.from({ length: 1_000 }, () => ['project.list', [{ per_page: 100 }]]);
      return statusOf(
        fetch(`${target.url}/api/soap`, {
          method: 'POST',
          headers: { 'Content-Type': 'text/xml; charset=utf-8' },
          body: message('multiCall', session, calls),
        }),
      );
    },
  },
  {
    title: 'a SOAP method name of 900,000 characters',
    expected: [500],
    send: async (target) => {
      const session = await target.soap.session(target.attacker);
      const result = await target.soap.invoke('call', session, 'a.'.repeat(450_000), []);
      return 'fault' in result ? 500 : 200;
    },
  },
  {
    title: '50 SOAP messages of a megabyte at once',
    expected: [500],
    send: (target) =>
      worstOf(Array.from({ length: 50 }, () => post(target, call(`<a>${'x'.repeat(room)}</a>`)))),
  },
];
