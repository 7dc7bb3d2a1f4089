import { mustBe } from '@wadi/fields/field-findings.ts'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/** An OpenID provider whose tokens are accepted, as `oidc.config` of the ConfigMap `argocd-cm` describes it. */
export interface OidcConfig {
  /** Shown to users. */
  name: string
  /** Address of the provider, which its tokens carry as `iss`. */
  issuer: string
  clientID: string
  /** The secret of the client `clientID`, or `$key` of the Secret `argocd-secret`; empty for none. */
  clientSecret: string
  /** The client of command lines; empty when it is `clientID`. */
  cliClientID: string
  /** The scopes that clients request from the provider. */
  requestedScopes: readonly string[]
  /** Claims that clients ask for, by name. */
  requestedClaims: ReadonlyMap<string, boolean>
  enablePKCE: boolean
  /** Audiences of accepted tokens: the two clients, unless the configuration names others. */
  audiences: readonly string[]
  /** The authority of the provider's certificate, PEM; empty for those of the system. */
  rootCA: string
}

const defaultScopes = ['openid', 'profile', 'email', 'groups']

/**
 * Reads `oidc.config`; undefined when there is none.
 * @throws InvalidInputError with a line for each error
 */
export function readOidcConfig(text: string | undefined): OidcConfig | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const fields = fieldsOf(text)
  const reader = new FieldReader('argocd-cm oidc.config')
  const issuer = reader.requiredString(fields, 'issuer', '')
  const clientID = reader.requiredString(fields, 'clientID', '')
  const cliClientID = reader.string(fields, 'cliClientID', '') ?? ''
  const scopes = reader.strings(fields, 'requestedScopes', '')
  const allowed = reader.strings(fields, 'allowedAudiences', '')
  const claims = reader.object(fields, 'requestedIDTokenClaims', '') ?? {}
  if (issuer !== '' && !isProviderAddress(issuer)) {
    reader.report('issuer must be an https address; http is for this machine alone')
  }
  reader.throwFindings()
  return {
    name: reader.string(fields, 'name', '') ?? '',
    issuer,
    clientID,
    clientSecret: reader.string(fields, 'clientSecret', '') ?? '',
    cliClientID,
    requestedScopes: scopes.length > 0 ? scopes : defaultScopes,
    requestedClaims: new Map(
      Object.entries(claims).map(([name, claim]) => [
        name,
        isJsonObject(claim) && claim['essential'] === true,
      ]),
    ),
    enablePKCE: fields['enablePKCEAuthentication'] === true,
    audiences: allowed.length > 0 ? allowed : [clientID, cliClientID].filter((client) => client !== ''),
    rootCA: reader.string(fields, 'rootCA', '') ?? '',
  }
}

/** Returns the provider whose tokens are accepted; undefined also while the configuration cannot be read. */
export function readableOidcConfig(text: string | undefined): OidcConfig | undefined {
  try {
    return readOidcConfig(text)
  } catch (error) {
    // Everybody else has to be able to sign in, and to put the configuration right.
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

/** Returns why `oidc.config` cannot be read; undefined when it can. */
export function oidcConfigError(text: string | undefined): string | undefined {
  try {
    readOidcConfig(text)
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

function fieldsOf(text: string): Record<string, unknown> {
  const fields: unknown = readYaml(text, 'argocd-cm oidc.config').documents[0]?.value
  if (isJsonObject(fields)) return fields
  throw new InvalidInputError(`argocd-cm oidc.config ${mustBe('object', fields)}`)
}

/** Keys that came over plain HTTP from another machine could be anybody's. */
function isProviderAddress(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(issuer)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const isPlain = username === '' && password === '' && search === '' && hash === ''
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLocal))
}
