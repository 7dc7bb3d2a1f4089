import { removeApiKey } from '../accounts/api-keys.ts'
import { removeProjectToken } from '../accounts/project-token-changes.ts'
import { revokeSession } from './revoked-sessions.ts'
import type { Verified } from './verified.ts'
import type { SignIn } from './sign-in.ts'

/**
 * Revokes a valid token: that of a session together with all others of the session, an API key or a token of
 * a project role by striking it from its list, one of another issuer by its id. The operator's token stays.
 */
export async function endSession(signIn: SignIn, { caller, token }: Verified): Promise<void> {
  const { objects, now, tokenSeconds } = signIn
  if (token?.owner.kind === 'apiKey') await removeApiKey(objects, token.owner.account, token.id)
  else if (token?.owner.kind === 'project') {
    await removeProjectToken(objects, token.owner.project, token.owner.role, token.id)
  } else if (caller.tokenId !== '') {
    // Nothing renews an ended session, so its last token was issued by now; a minute is for clocks that differ.
    const until = Math.max(caller.expiresAt, Math.ceil(now()) + tokenSeconds + 60)
    await revokeSession(objects, caller.tokenId, until, now())
  }
}
