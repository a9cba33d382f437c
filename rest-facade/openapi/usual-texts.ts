/** The texts of parameters that mean the same at every endpoint, where the core has none. */
export const usualTexts: Readonly<Record<string, string>> = {
  issue_iid: 'The number of the issue within its project.',
  merge_request_iid: 'The number of the merge request within its project.',
  snippet_id: 'The id of the snippet.',
  user_id: 'The id of the user.',
  statistics: 'Whether to add statistics, for callers who may see them.',
  simple: 'Whether to send the short form only.',
  access_token: 'The access token.',
  client_id: 'The Application ID.',
  client_secret: 'The secret of the application.',
};
