import { CommandFailure } from '../command-line/command-failure.ts'
import { changeContextFile } from '../connection/context-file.ts'
import type { ContextFile, ServerContext } from '../connection/context-file-content.ts'
import type { KeptToken, ServerChoice } from '../connection/server-choice.ts'
import { hasExpired, tokenClaims } from './token-claims.ts'

/** The token that calls carry. One from the context file is kept alive there, one that was given is left alone. */
export interface CallToken {
  /**
   * Returns it, empty when nobody is signed in. An expired one of an OpenID provider is exchanged first.
   * @throws CommandFailure when the provider refuses to
   */
  current(): Promise<string>
  /** Takes the next token of the session instead of the one that a call carried. */
  renew(carried: string, next: string): Promise<void>
}

/** Prepares the token of the chosen server. */
export function callToken({ token, kept }: Pick<ServerChoice, 'token' | 'kept'>): CallToken {
  if (!kept) return { current: async () => token, renew: async () => undefined }
  let newest = token
  let refreshing: Promise<string> | undefined
  return {
    current: async () => {
      if (kept.refreshToken === '' || !hasExpired(newest)) return newest
      refreshing ??= refresh(kept, newest).finally(() => {
        refreshing = undefined
      })
      newest = await refreshing
      return newest
    },
    renew: async (carried, next) => {
      if (carried !== newest || !tokenClaims(next)) return
      newest = next
      await keep(kept, carried, next)
    },
  }
}

/** While it runs no other command can use the refresh token, which may be used only once. */
async function refresh(kept: KeptToken, expired: string): Promise<string> {
  const { withContext } = await import('../connection/context-file-content.ts')
  let result = expired
  await changeContextFile(kept.path, async (file) => {
    const context = contextOf(file, kept)
    if (!context) return undefined
    result = context.token
    if (context.refreshToken === '' || !hasExpired(context.token)) return undefined
    const { refreshIdToken } = await import('./openid-provider.ts')
    const fresh = await refreshIdToken(context.token, context.refreshToken)
    result = fresh.token
    return withContext(file, { ...context, ...fresh })
  })
  return result
}

async function keep(kept: KeptToken, old: string, next: string): Promise<void> {
  const { withContext } = await import('../connection/context-file-content.ts')
  try {
    await changeContextFile(kept.path, (file) => {
      const context = contextOf(file, kept)
      // Whoever signed in again or out meanwhile knows better.
      return context?.token === old ? withContext(file, { ...context, token: next }) : undefined
    })
  } catch (error) {
    // A file that cannot be written does not make the call a failure: the old token is still valid.
    if (!(error instanceof CommandFailure || (error instanceof Error && 'code' in error))) throw error
  }
}

function contextOf({ contexts }: ContextFile, kept: KeptToken): ServerContext | undefined {
  return contexts.find(({ name }) => name === kept.context)
}
