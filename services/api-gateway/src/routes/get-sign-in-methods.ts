import type { GetSignInMethodsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { allAccounts } from '../accounts/account.ts'
import { isAnonymousEnabled } from '../accounts/sign-in-settings.ts'
import type { GatewayContext } from '../context.ts'
import { readableOidcConfig } from '../oidc/oidc-config.ts'
import { signInPath } from '../oidc/answer-provider-sign-in.ts'

/** Returns the ways to sign in. */
export function getSignInMethods({ signIn: { objects } }: Pick<GatewayContext, 'signIn'>) {
  return (_request: GetSignInMethodsRequest) => {
    const provider = readableOidcConfig(objects.config['oidc.config'])
    return {
      password: allAccounts(objects).some(
        ({ enabled, capabilities, passwordHash }) =>
          enabled && capabilities.includes('login') && passwordHash !== undefined,
      ),
      anonymous: isAnonymousEnabled(objects),
      ...(provider && { providerName: provider.name || provider.issuer, providerPath: signInPath }),
    }
  }
}
