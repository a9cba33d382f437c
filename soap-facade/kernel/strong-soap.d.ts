// The package has no types. These describe the parts used here.
declare module 'strong-soap' {
  /** A node of its XML builder. */
  export interface XmlNode {
    attribute(attributes: Readonly<Record<string, string>>): XmlNode;
    raw(xml: string): XmlNode;
    remove(): XmlNode;
    end(options: { readonly pretty: boolean }): string;
    readonly children: readonly XmlNode[];
  }
  export interface QName {
    readonly nsURI: string;
    readonly name: string;
  }
  export interface SchemaNode {
    readonly name: string;
    readonly $base?: string;
    readonly children?: readonly SchemaNode[];
  }
  export interface Part {
    readonly $name: string;
    readonly type?: {
      readonly $name?: string;
      readonly qname?: QName;
      readonly targetNamespace?: string;
    };
  }
  export interface ElementDescriptor {
    readonly qname: QName;
    readonly elements: readonly ElementDescriptor[];
  }
  interface Message {
    readonly body: { readonly parts?: Readonly<Record<string, Part>> };
  }
  export interface Operation {
    readonly mode: string;
    readonly input: Message;
    readonly output: Message;
    describe(definitions: Definitions): {
      readonly output: { readonly body: ElementDescriptor };
      readonly faultEnvelope: ElementDescriptor;
    };
  }
  export interface Definitions {
    readonly schemas: Readonly<
      Record<string, { readonly complexTypes?: Readonly<Record<string, SchemaNode>> }>
    >;
    readonly services: Readonly<
      Record<
        string,
        {
          readonly ports: Readonly<
            Record<
              string,
              { readonly binding: { readonly operations: Readonly<Record<string, Operation>> } }
            >
          >;
        }
      >
    >;
  }
  export class WSDL {
    constructor(xml: string, uri: string, options: object);
    loadSync(): void;
    readonly definitions: Definitions;
  }
  export class NamespaceContext {
    declareNamespace(prefix: string, uri: string): void;
  }
  export class XMLHandler {
    constructor(schemas: Definitions['schemas'], options: object);
    static createSOAPEnvelope(
      prefix: string,
      namespace: string,
    ): { readonly body: XmlNode; readonly header: XmlNode; readonly doc: XmlNode };
    jsonToXml(
      node: XmlNode,
      context: NamespaceContext,
      descriptor: ElementDescriptor | undefined,
      value: object,
    ): void;
  }
  export const soap: {
    readonly WSDL: typeof WSDL;
    readonly XMLHandler: typeof XMLHandler;
    readonly NamespaceContext: typeof NamespaceContext;
  };
}
