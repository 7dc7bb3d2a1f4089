import { goDurationSeconds } from './go-duration.ts'
import type { SignInObjects } from './sign-in-objects.ts'

const defaultSessionSeconds = 24 * 3600

/** Returns whether callers without a token are let in, with the rights of the default role. */
export function isAnonymousEnabled({ config }: SignInObjects): boolean {
  return config['users.anonymous.enabled'] === 'true'
}

/**
 * Returns how long a session may be renewed after it began, in seconds: `users.session.duration` of `argocd-cm`, 24 hours
 * when that is missing or cannot be read.
 */
export function sessionSeconds({ config }: SignInObjects): number {
  return goDurationSeconds(config['users.session.duration'] ?? '') ?? defaultSessionSeconds
}
