/** The release of the v4 interface that this service speaks. */
export const interfaceVersion = '10.1.0';

export const revision = 'millrace';
