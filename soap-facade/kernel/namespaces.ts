/** XML namespaces of messages. */
export const namespaces = {
  envelope: 'http://schemas.xmlsoap.org/soap/envelope/',
  encoding: 'http://schemas.xmlsoap.org/soap/encoding/',
  instance: 'http://www.w3.org/2001/XMLSchema-instance',
  schema: 'http://www.w3.org/2001/XMLSchema',
  /** Apache's map type, which all clients read. */
  map: 'http://xml.apache.org/xml-soap',
} as const;
