const query = encodeURIComponent('{ currentUser { username } }');

/** Returns to this page. The path is one of the service, which adds its prefix itself. */
const signInAddress = '../users/sign_in?return_to=%2Fapi%2Fdocs';

/** Shows in `element` as which user requests are sent, or a link to sign in. */
export async function showSession(element) {
  const response = await fetch(`../graphql?query=${query}`, {
    headers: { Accept: 'application/json' },
  });
  const username = (await response.json()).data?.currentUser?.username;
  if (username) {
    element.textContent = username;
    return;
  }
  const link = document.createElement('a');
  link.href = signInAddress;
  link.textContent = 'Sign in';
  element.replaceChildren(link);
}
