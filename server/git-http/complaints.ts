/**
 * What git says of a request that it cannot read or must refuse: errors of the protocol, and values that only the
 * client chose. Every other complaint, and a git that says nothing, is a failure of this machine.
 */
const ofRequests: readonly RegExp[] = [
  // packets
  /protocol error/,
  /remote end hung up/,
  /bad band|unexpected (?:flush|delim|response-end) packet/i,
  // version 2
  /unknown capability|unknown command|invalid command|no command requested|requested after already/,
  /unexpected (?:line|argument): |expected flush after/,
  /(?:unknown|mismatched|unsupported) object format/,
  // a fetch
  /upload-pack: (?:not our ref|expected|ambiguous deepen-not|deepen and|filtering capability)/,
  /unknown ref |invalid shallow |invalid deepen/i,
  /invalid filter|filter '[^']*' not supported|multiple filter-specs|sparse:path|expected 'tree:|expected something after combine|must escape char|not a valid object type/,
  // a push
  /push cert|push options? must|unsigned commands/,
];

const fatal = /^(?:git [a-z ]+: )?fatal: (.*)$/gim;

/** Whether git complains of the request of its client. */
export const blamesRequest = (complaint: string): boolean =>
  [...complaint.matchAll(fatal)].some(([, text = '']) =>
    ofRequests.some((pattern) => pattern.test(text)),
  );
