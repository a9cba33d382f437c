/** `createdAt`, `merge_request` and `MergeRequest` → `CREATED_AT`, `MERGE_REQUEST`. */
export const upperCase = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();

/** `createIssue` → `CreateIssue`. */
export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `MergeRequest` → `mergeRequest`. */
export const uncapitalized = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** `mergeRequest` and `MergeRequest` → `merge request`. */
export const words = (name: string): string => {
  const lowerCase = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return spellings[lowerCase] ?? lowerCase;
};

/** Names of records that are not written as their types are. */
const spellings: Readonly<Record<string, string>> = {
  email: 'e-mail address',
  'ssh key': 'SSH key',
  hook: 'webhook',
  'hook delivery': 'webhook delivery',
  'oauth application': 'OAuth application',
};
