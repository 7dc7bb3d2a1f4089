import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * The URL of the remote `origin` of the checkout around a folder.
 * @throws CommandFailure when there is none
 */
export async function checkoutRemote(folder: string): Promise<string> {
  const { simpleGit } = await import('simple-git')
  const git = simpleGit(folder)
  const url = (await git.raw(['config', '--get', 'remote.origin.url']).catch(() => '')).trim()
  if (url !== '') return url
  throw new CommandFailure(
    'this is not a checkout with a remote "origin"; name the dry repository with --repo',
  )
}
