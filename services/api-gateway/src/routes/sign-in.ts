import type { ServiceImpl } from '@connectrpc/connect'
import type { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { allAccounts } from '../accounts/account.ts'
import { isAnonymousEnabled } from '../accounts/sign-in-settings.ts'
import { sessionTokenKey } from '../authentication/authenticate.ts'
import { callerKey } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'
import { signInPath } from '../oidc/answer-provider-sign-in.ts'
import { readableOidcConfig } from '../oidc/oidc-config.ts'
import { sessionEnd } from '../sessions/sign-in.ts'

/** The RPCs of SignInService. */
export function signInRoutes({ signIn }: Pick<GatewayContext, 'signIn'>) {
  return {
    getSignInMethods() {
      const { objects } = signIn
      const provider = readableOidcConfig(objects.config['oidc.config'])
      return {
        password: allAccounts(objects).some(
          ({ enabled, capabilities, passwordHash }) =>
            enabled && capabilities.includes('login') && passwordHash !== undefined,
        ),
        anonymous: isAnonymousEnabled(objects),
        ...(provider && { providerName: provider.name || provider.issuer, providerPath: signInPath }),
      }
    },
    /** Returns who calls and when that ends. */
    getSession(_request, { values }) {
      const caller = values.get(callerKey)
      if (!caller || caller.issuer === '') return {}
      const owner = values.get(sessionTokenKey)?.owner
      const { username, issuer, subject, expiresAt } = caller
      return {
        signedIn: true,
        username,
        issuer,
        groups: [...subject.groups],
        tokenExpiresAt: timeText(expiresAt),
        endsAt: timeText(owner?.kind === 'session' ? sessionEnd(signIn, owner.session) : expiresAt),
      }
    },
  } satisfies ServiceImpl<typeof SignInService>
}

function timeText(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}
