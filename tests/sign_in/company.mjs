// A company's server: oidc-provider, which is certified for OpenID Connect, with a few people.

import Provider from "oidc-provider";

export const CLIENT = { id: "specbox", secret: "a secret: with / signs & % 16" };

// By what they type as their login; the subject is the login.
const PEOPLE = {
  ann: { email: "Ann@lab.example", email_verified: true, groups: ["standards"] },
  "ann-2": { email: "ann@lab.example", email_verified: true, groups: ["standards"] },
  bob: { email: "bob@lab.example", email_verified: false, groups: ["standards"] },
  eve: { email: "eve@evil.example", email_verified: true, groups: ["standards"] },
  fred: { email: "fred@lab.example", email_verified: true, groups: ["canteen"] },
  gina: { email: "gina@lab.example", email_verified: true, groups: ["standards"] },
};

/** Starts the server. `inToken` puts claims into the ID token; otherwise they are at the endpoint for them. */
export async function startCompany({ redirectUri, inToken, algorithm, method }) {
  let provider;
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => provider.callback()(request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  provider = new Provider(issuer, {
    clients: [{
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: method,
      id_token_signed_response_alg: algorithm,
    }],
    clientAuthMethods: [method],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["groups"] },
    conformIdTokenClaims: !inToken,
    cookies: { keys: ["of this test"] },
    pkce: { required: () => true },
    enabledJWA: { idTokenSigningAlgValues: ["RS256", "PS256", "ES256"] },
    jwks: { keys: await keysOf(["RS256", "PS256", "ES256"]) },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...PEOPLE[id] }) }),
  });
  return { issuer, stop: () => server.close() };
}

async function keysOf(algorithms) {
  const { generateKeyPair, exportJWK } = await import("jose");
  const keys = algorithms.map(async (alg) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: alg };
  });
  return Promise.all(keys);
}
