/**
 * OAuth's error codes (RFC 6749, 4.1.2.1 and 5.2; RFC 6750, 3.1; OpenID Connect Core, 3.1.2.6) and
 * their descriptions.
 */
export const oauthErrorTexts = {
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_redirect_uri: 'The redirect uri included is not valid.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type:
    'The authorization grant type is not supported by the authorization server.',
  unsupported_response_type: 'The authorization server does not support this response type.',
  access_denied: 'The resource owner or authorization server denied the request.',
  login_required: 'The user must sign in.',
  consent_required: 'The user must authorize the application.',
  request_not_supported: 'The authorization server does not support the parameter request.',
  request_uri_not_supported: 'The authorization server does not support the parameter request_uri.',
  invalid_token: 'The access token is invalid, expired or revoked.',
  insufficient_scope: 'The request requires higher privileges than provided by the access token.',
} as const;

export type OauthErrorCode = keyof typeof oauthErrorTexts;
