import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { FindEndpoint } from '../schema/client/endpoint.ts';
import { type Execute, unavailableOf } from '../schema/client/execute.ts';
import { requestFacts } from '../schema/client/request-facts.ts';
import { catalogueOf } from './kernel/catalogue.ts';
import { escapeText } from './kernel/encode.ts';
import { clientFault, globalFaults, listedFault, outageFault, SoapFault } from './kernel/faults.ts';
import { readCall } from './kernel/read-call.ts';
import { readText } from './kernel/read-text.ts';
import type { Service } from './kernel/service.ts';
import type { Visit } from './kernel/visit.ts';
import { type OperationParts, operationsOf } from './operations.ts';
import { resources } from './resources/index.ts';

export interface SoapParts extends Pick<OperationParts, 'sessionOf' | 'report' | 'reportOutage'> {
  readonly execute: Execute;
  /** Finds the REST endpoints behind the methods. */
  readonly findEndpoint: FindEndpoint;
  /** Public base URL without a trailing slash. */
  readonly url: string;
  /** Counts bytes of a request in the memory budget of all requests; false if they exceed it. */
  readonly holdFor: (response: ServerResponse) => (bytes: number) => boolean;
}

const path = '/api/soap';
const type = 'text/xml; charset=UTF-8';

const source = readFileSync(new URL('./service.wsdl', import.meta.url), 'utf8');
const wsdlAt = (url: string) =>
  source.replace(/(?<=<soap:address location=")[^"]*/, () => escapeText(`${url}${path}`));

let loading: Promise<Service> | undefined;

/** Loads strong-soap at the first message, because it needs a third of a second and 60 MB. */
function loadService(): Promise<Service> {
  loading ??= import('./kernel/service.ts').then(({ serviceOf }) => serviceOf(source));
  return loading;
}

/** The SOAP interface at `/api/soap`, and its WSDL at `?wsdl`. */
export function soapFacade({
  execute,
  findEndpoint,
  url,
  sessionOf,
  report,
  reportOutage,
  holdFor,
}: SoapParts): Middleware {
  const wsdl = Buffer.from(wsdlAt(url));
  const catalogue = catalogueOf(resources, findEndpoint);
  const operations = operationsOf({ execute, catalogue, sessionOf, report, reportOutage });

  /** Handles a message; returns the response envelope. */
  const answer = async (ctx: Context, visit: Visit, service: Service): Promise<string> => {
    const { operation, given } = readCall(await readText(ctx, holdFor(ctx.res)), service);
    const encodeResult = await operations.get(operation.name)?.(given, visit);
    if (!encodeResult) throw listedFault(globalFaults.pathNotCallable);
    return operation.answer(encodeResult);
  };

  const refuse = async (
    ctx: Context,
    { code, message, status, headers }: SoapFault,
  ): Promise<void> => {
    const service = await loadService();
    ctx.status = status;
    ctx.set(headers);
    // do not wait for the rest of a body that is too long
    if (!ctx.req.complete) ctx.set('Connection', 'close');
    ctx.body = service.fault(code, message);
  };

  const post = async (ctx: Context): Promise<void> => {
    const visit: Visit = { request: requestFacts(ctx), viewer: null };
    ctx.set('Content-Type', type);
    try {
      // a Buffer: measuring and writing would each encode a string
      ctx.body = Buffer.from(await answer(ctx, visit, await loadService()));
    } catch (error) {
      if (!ctx.writable) throw error;
      if (error instanceof SoapFault) return await refuse(ctx, error);
      const unavailable = unavailableOf(error, reportOutage, visit.request.id);
      if (unavailable) return await refuse(ctx, outageFault(unavailable));
      report(error, visit.request.id);
      await refuse(ctx, listedFault(globalFaults.internal));
    } finally {
      ctx.state.viewer = visit.viewer;
    }
  };

  return async (ctx, next) => {
    if (ctx.path !== path && ctx.path !== `${path}/`) return next();
    ctx.state.route = path;
    if (ctx.method === 'POST') return post(ctx);
    ctx.set('Content-Type', type);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && /(?:^|&)wsdl(?:=|&|$)/i.test(ctx.querystring)) {
      ctx.body = wsdl;
      return;
    }
    ctx.set('Allow', 'GET, HEAD, POST');
    await refuse(ctx, clientFault(`${ctx.method} is for ${path}?wsdl alone`, isRead ? 404 : 405));
  };
}
