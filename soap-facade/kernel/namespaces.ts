/** The namespaces that messages are made of. */
export const namespaces = {
  envelope: 'http://schemas.xmlsoap.org/soap/envelope/',
  encoding: 'http://schemas.xmlsoap.org/soap/encoding/',
  instance: 'http://www.w3.org/2001/XMLSchema-instance',
  schema: 'http://www.w3.org/2001/XMLSchema',
  /** Maps, as Apache began to write them and everybody reads them. */
  map: 'http://xml.apache.org/xml-soap',
} as const;
