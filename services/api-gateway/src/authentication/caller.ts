import { createContextKey, createContextValues } from '@connectrpc/connect'
import type { CallOptions, HandlerContext } from '@connectrpc/connect'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { Subject } from '@wadi/rbac/decide/claims.ts'
import { endUserKey } from '@wadi/rpc/service-identity.ts'
import { noteDecision } from '../authorization/decided-by-policy.ts'

/** The caller, as the token of the call proves it. */
export interface Caller {
  /** The caller in policies. */
  subject: Subject
  /** For people, the audit log and commits: `admin`, `proj:dev:ci`, an e-mail address. */
  username: string
  /** An address for commits; empty when none is known. */
  email: string
  /** The issuer of the token: `argocd` for this server, else the address of the OpenID provider; empty for nobody. */
  issuer: string
  /** Identifies the session or the listed token; empty for the operator's token and for nobody. */
  tokenId: string
  /** Time at which the token was issued, in seconds since 1970; 0 if the token does not say. */
  issuedAt: number
  /** Time at which the token expires, in seconds since 1970; 0 for never. */
  expiresAt: number
}

/** The caller with the operator's token. */
export const administrator: Caller = {
  subject: { sub: 'admin', groups: [] },
  username: 'admin',
  email: 'admin@localhost',
  issuer: 'argocd',
  tokenId: '',
  issuedAt: 0,
  expiresAt: 0,
}

/** The caller without a token, where that is allowed: the default role applies. */
export const nobody: Caller = {
  subject: { sub: '', groups: [] },
  username: '',
  email: '',
  issuer: '',
  tokenId: '',
  issuedAt: 0,
  expiresAt: 0,
}

/** The verified caller of a call; undefined for methods that need none. */
export const callerKey = createContextKey<Caller | undefined>(undefined, { description: 'caller' })

/**
 * Returns who calls.
 * @throws UnauthenticatedError for a method that needs no caller and is called without a token
 */
export function callerOf({ values }: Pick<HandlerContext, 'values'>): Caller {
  const caller = values.get(callerKey)
  if (!caller) throw new UnauthenticatedError('no session information')
  return caller
}

/**
 * Options for a call to another service on behalf of the caller, who is passed on signed. That service asks the policy, so
 * the decision about this call is made.
 */
export function onBehalfOf(context: Pick<HandlerContext, 'values' | 'signal'>): CallOptions {
  const { sub, groups } = callerOf(context).subject
  noteDecision(context.values)
  const contextValues = createContextValues().set(endUserKey, { subject: sub, groups })
  return { signal: context.signal, contextValues }
}
