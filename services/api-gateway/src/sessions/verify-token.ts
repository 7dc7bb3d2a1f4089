import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { Verified } from './verified.ts'
import { type Account, type Capability, findAccount } from '../accounts/account.ts'
import { projectTokens } from '../accounts/project-tokens.ts'
import type { SignInObjects } from '../accounts/sign-in-objects.ts'
import { isAnonymousEnabled } from '../accounts/sign-in-settings.ts'
import { isRevoked } from './revoked-sessions.ts'
import { readToken, type SessionToken } from './session-token.ts'
import { sessionEnd, type SignIn } from './sign-in.ts'

/**
 * Returns what a token of ours says when it is valid: its signature is right, and what it names is still there.
 * @throws UnauthenticatedError with the reason
 */
export async function verifyToken(signIn: SignIn, text: string): Promise<SessionToken> {
  const token = await readToken(signIn.objects, text, signIn.now())
  requireLiving(signIn, token)
  return token
}

/**
 * Makes sure that what let a caller in some time ago still would. A session may be older than its token here: who works
 * has the next one by now.
 * @throws UnauthenticatedError with the reason
 */
export function requireStillIn(signIn: SignIn, { caller, token }: Verified): void {
  const { issuer, tokenId, expiresAt } = caller
  if (issuer === '' && !isAnonymousEnabled(signIn.objects))
    throw new UnauthenticatedError('no session information')
  if (token) requireLiving(signIn, token)
  else if (tokenId !== '' && isRevoked(signIn.objects, tokenId)) {
    refuse('the session was signed out; sign in again')
  }
  const isRenewed = token?.owner.kind === 'session'
  if (!isRenewed && expiresAt !== 0 && expiresAt <= signIn.now()) {
    refuse('the token has expired; sign in again')
  }
}

function requireLiving(signIn: SignIn, token: SessionToken): void {
  const { owner, id } = token
  const { objects } = signIn
  switch (owner.kind) {
    case 'session':
      // A gateway that has not seen a new password yet may renew a token after it.
      requireUsable(objects, owner.account, 'login', owner.session.startedAt)
      if (isRevoked(objects, owner.session.id)) refuse('the session was signed out; sign in again')
      if (sessionEnd(signIn, owner.session) <= signIn.now()) refuse('the session is over; sign in again')
      return
    case 'apiKey': {
      const { tokens } = requireUsable(objects, owner.account, 'apiKey', token.issuedAt)
      const listed = tokens.find((key) => key.id === id)
      if (!listed) refuse(`account ${owner.account} does not have token with id ${id}: it was revoked`)
      return
    }
    case 'project': {
      const { project, role } = owner
      const isListed = projectTokens(objects.project(project), role).some((listed) => listed.id === id)
      if (!isListed)
        refuse(`role ${role} of project ${project} does not have token with id ${id}: it was revoked`)
    }
  }
}

function requireUsable(
  objects: SignInObjects,
  name: string,
  capability: Capability,
  provedAt: number,
): Account {
  const account = findAccount(objects, name)
  if (!account) return refuse(`account ${name} does not exist`)
  requireCapability(account, capability)
  if (provedAt < account.passwordSetAt) refuse('account password has changed since token issued')
  return account
}

/**
 * Makes sure that an account can be used for something.
 * @throws UnauthenticatedError that says why not, in Argo CD's words
 */
export function requireCapability({ name, enabled, capabilities }: Account, capability: Capability): void {
  if (!enabled) throw new UnauthenticatedError(`Account ${name} is disabled`)
  if (!capabilities.includes(capability)) {
    throw new UnauthenticatedError(`Account ${name} does not have ${capability} capability`)
  }
}

function refuse(reason: string): never {
  throw new UnauthenticatedError(`invalid session: ${reason}`)
}
