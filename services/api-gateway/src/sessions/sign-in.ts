import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { type Account, requireAccount } from '../accounts/account.ts'
import { followSignInObjects, type SignInObjects } from '../accounts/sign-in-objects.ts'
import { sessionSeconds } from '../accounts/sign-in-settings.ts'
import { maxTokenSeconds } from './key-ring.ts'
import { createPasswordCheck, type PasswordCheck, type PasswordCheckOptions } from './password-check.ts'
import { newTokenId, type Session, type SessionToken, signToken } from './session-token.ts'

/** The state of sign-in, for signing in and proving it later. */
export interface SignIn extends AsyncDisposable {
  objects: SignInObjects
  checkPassword: PasswordCheck
  /** Lifetime of a token of a session, in seconds. */
  tokenSeconds: number
  /** The time, in seconds since 1970 with a fraction. */
  now: () => number
}

/** Options of sign-in that do not come from the objects. */
export interface SignInOptions extends PasswordCheckOptions {
  /** Lifetime of a token of a session, in seconds, at most a day. Default: an hour. */
  tokenSeconds?: number
  now?: () => number
}

/** Reads the objects that sign-in works with and follows them until disposed. */
export async function openSignIn(store: ResourceStore, options: SignInOptions = {}): Promise<SignIn> {
  const { tokenSeconds = 3600, now = () => Date.now() / 1_000 } = options
  const objects = await followSignInObjects(store)
  return {
    objects,
    checkPassword: createPasswordCheck(objects, now, options),
    tokenSeconds: Math.min(Math.floor(tokenSeconds), maxTokenSeconds),
    now,
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  }
}

/** Begins a session of an account and returns its first token. */
export async function startSession(signIn: SignIn, account: Account): Promise<string> {
  const issuedAt = issueTime(signIn, account)
  return signSessionToken(signIn, account.name, { id: newTokenId(), startedAt: issuedAt }, issuedAt)
}

/**
 * Returns the next token of the session of a valid token whose time is half over; undefined when it is too early, when the
 * session is as old as it may become, and for tokens that do not belong to a session.
 */
export async function renewedToken(signIn: SignIn, token: SessionToken): Promise<string | undefined> {
  const { owner, issuedAt, expiresAt } = token
  const now = signIn.now()
  if (owner.kind !== 'session' || now < (issuedAt + expiresAt) / 2) return undefined
  if (sessionTokenExpiry(signIn, owner.session, now) <= expiresAt) return undefined
  return signSessionToken(signIn, owner.account, owner.session, Math.max(issuedAt, Math.floor(now)))
}

/** Makes a token that is valid while it is listed under its id: an API key or a token of a project role. */
export async function signListedToken(signIn: SignIn, token: SessionToken): Promise<string> {
  return signToken(signIn.objects, token, signIn.now())
}

/**
 * Returns the issue time of a new token of an account, in whole seconds since 1970: not before its password was set, which can be
 * up to a second from now.
 */
export function issueTime(signIn: SignIn, account: Account): number {
  const { passwordSetAt } = requireAccount(signIn.objects, account.name)
  const now = Math.floor(signIn.now())
  return passwordSetAt - now <= 2 ? Math.max(now, passwordSetAt) : now
}

/** Returns when the session is over, however often it is renewed, in seconds since 1970. */
export function sessionEnd({ objects }: SignIn, session: Session): number {
  return session.startedAt + Math.floor(sessionSeconds(objects))
}

function sessionTokenExpiry(signIn: SignIn, session: Session, issuedAt: number): number {
  return Math.min(Math.floor(issuedAt) + signIn.tokenSeconds, sessionEnd(signIn, session))
}

async function signSessionToken(
  signIn: SignIn,
  account: string,
  session: Session,
  issuedAt: number,
): Promise<string> {
  const token: SessionToken = {
    owner: { kind: 'session', account, session },
    id: newTokenId(),
    issuedAt,
    expiresAt: sessionTokenExpiry(signIn, session, issuedAt),
  }
  return signToken(signIn.objects, token, signIn.now())
}
