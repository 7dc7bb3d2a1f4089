import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { Provider, type Configuration, type Interaction } from 'oidc-provider'
import { newSigningKey, signedToken, type TokenKey } from './signed-token.ts'

/** A user of a provider and what its tokens say. */
interface ProviderUser {
  email?: string
  groups?: readonly string[]
}

/** A real OpenID provider on this machine, whose users sign in without being asked. */
export interface OpenIdProvider extends AsyncDisposable {
  issuer: string
  /** A public client that has to use PKCE. */
  clientID: string
  /** Sets the user of the next sign-in's browser. */
  signInAs(user: string): void
  /** Signs with another key from now on. */
  changeKey(): Promise<void>
  /** A token with claims of one's own, signed with the provider's key. */
  sign(claims: Record<string, unknown>): string
}

/** The settings of a provider. */
export interface OpenIdProviderOptions {
  users: Readonly<Record<string, ProviderUser>>
  /** The addresses that browsers may be sent back to; of the loopback interface with any port. */
  redirectUris?: readonly string[]
}

const clientID = 'wadi-cli'

/** Starts a provider on a free port. */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProvider> {
  const state = { user: Object.keys(options.users)[0] ?? '' }
  const server = http.createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let key = newSigningKey()
  const serve = (): void => {
    const provider = new Provider(issuer, configuration(options, key))
    // It warns of plain HTTP, which is all that there is on this interface.
    provider.on('server_error', (_context, error) => process.emitWarning(error))
    const handle = provider.callback()
    server.removeAllListeners('request')
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/sign-in/') === true) {
        void interact(provider, state.user, request, response)
      } else void handle(request, response)
    })
  }
  serve()
  return {
    issuer,
    clientID,
    signInAs: (user) => {
      state.user = user
    },
    changeKey: async () => {
      key = newSigningKey()
      serve()
    },
    sign: (claims) => signedToken({ iss: issuer, aud: clientID, ...claims }, key),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function configuration(
  { users, redirectUris }: OpenIdProviderOptions,
  { privateKey, kid }: TokenKey,
): Configuration {
  return {
    clients: [
      {
        client_id: clientID,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
        redirect_uris: [
          ...(redirectUris ?? ['http://127.0.0.1/auth/callback', 'http://localhost/auth/callback']),
        ],
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid }],
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'], profile: ['name'] },
    scopes: ['openid', 'offline_access', 'profile', 'email', 'groups'],
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    cookies: { keys: [randomUUID()] },
    ttl: {
      IdToken: 3_600,
      AccessToken: 3_600,
      Grant: 3_600,
      Interaction: 600,
      Session: 3_600,
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: id, email_verified: true, ...users[id] }),
    }),
  }
}

/** Does what a person does on the pages of a provider: signs in and agrees. */
async function interact(
  provider: Provider,
  user: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response)
  const { prompt } = interaction
  const result =
    prompt.name === 'login'
      ? { login: { accountId: user } }
      : { consent: { grantId: await grantAll(provider, interaction) } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
}

async function grantAll(provider: Provider, { params, session }: Interaction): Promise<string> {
  const grant = new provider.Grant({
    accountId: session?.accountId ?? '',
    clientId: String(params['client_id']),
  })
  grant.addOIDCScope(String(params['scope']))
  return grant.save()
}
