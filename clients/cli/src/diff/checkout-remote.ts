import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * The URL of the remote `origin` of the checkout around a directory.
 * @throws CommandFailure when there is none
 */
export async function checkoutRemote(directory: string): Promise<string> {
  const { simpleGit } = await import('simple-git')
  const git = simpleGit(directory)
  // Jobs often run as another user than the one who made the checkout; only this value is read there.
  const url = (
    await git.raw(['-c', 'safe.directory=*', 'config', '--get', 'remote.origin.url']).catch(() => '')
  ).trim()
  if (url !== '') return url
  throw new CommandFailure(
    'this is not a checkout with a remote "origin"; name the dry repository with --repo',
  )
}
