import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import type { OIDCConfigSchema, SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { GatewayContext } from '../context.ts'
import { readableOidcConfig } from '../oidc/oidc-config.ts'

/** Argo CD's settings service: what a client has to know before anybody is signed in. */
export function argocdSettings({
  signIn: { objects },
}: Pick<GatewayContext, 'signIn'>): ServiceImpl<typeof SettingsService> {
  return {
    get: () => {
      const oidcConfig = oidcSettings(objects.config['oidc.config'])
      return {
        url: objects.config['url'] ?? '',
        controllerNamespace: controlPlaneNamespace,
        hydratorEnabled: true,
        ...(oidcConfig && { oidcConfig }),
      }
    },
  }
}

function oidcSettings(text: string | undefined): MessageInitShape<typeof OIDCConfigSchema> | undefined {
  const config = readableOidcConfig(text)
  if (!config) return undefined
  const { name, issuer, clientID, cliClientID, requestedScopes, requestedClaims, enablePKCE } = config
  return {
    name,
    issuer,
    clientID,
    cliClientID,
    scopes: [...requestedScopes],
    idTokenClaims: Object.fromEntries(
      [...requestedClaims].map(([claim, essential]) => [claim, { essential }]),
    ),
    enablePKCEAuthentication: enablePKCE,
  }
}
