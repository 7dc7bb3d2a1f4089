import type { Mirror } from '../mirror/mirror.ts'
import { readAdvertisement } from '../smart-http/advertisement.ts'

/** No ref has such a name, so the dry run that begins a push has nothing to say about any. */
const noRefs = 'refs/wadi-check/*:refs/wadi-check/*'

/**
 * Asks a remote whether it lets the credentials of a mirror push, and sends nothing that it could take. Rules for single branches and hooks
 * are known only to a push.
 * @throws what a push throws that the server does not let in
 */
export async function checkPush(mirror: Mirror, signal?: AbortSignal): Promise<void> {
  await mirror.contact(
    'push check',
    {
      builtIn: async (target) => {
        await readAdvertisement(target, 'git-receive-pack')
      },
      git: async (target) => {
        const args = ['push', '--dry-run', '--no-verify', '--', target.url.text, noRefs]
        // To an empty repository nothing can be pushed, which git calls a failure once it was let in.
        await mirror.talk(target, args, { acceptExitCodes: [0, 1] })
      },
    },
    signal,
  )
}
