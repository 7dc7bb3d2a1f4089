import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '@wadi/git/process/run-git.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { storedContents } from './stored-contents.ts'

/**
 * Opens the files of a checkout as a commit of them would have them: new files are there, what git ignores is not, as no server gets it, and
 * what `.gitattributes` changes in a checkout is as git stores it. Of a directory without a repository all files are there.
 * @param warn is given a sentence for each ignored file or directory that something asks for by its path
 */
export async function openWorkingTree(root: string, warn: (message: string) => void): Promise<FileTree> {
  const environment = { GIT_DIR: join(root, '.git'), GIT_WORK_TREE: root }
  const ignored = hasRepository(root) ? await ignoredPaths(environment) : undefined
  if (ignored === undefined) return openDirectoryTree(root)
  const leftOut = {
    paths: ignored,
    whenAsked: (path: string) =>
      warn(`${path} is left out, as git ignores it and a server does not have it; commit it if it is needed`),
  }
  return openDirectoryTree(root, leftOut, await storedContents(root, environment))
}

/** True if a directory is a checkout. One that was unpacked with an archive may have a directory named `.git`, too. */
function hasRepository(root: string): boolean {
  const gitDirectory = join(root, '.git')
  if (!existsSync(gitDirectory)) return false
  return !statSync(gitDirectory).isDirectory() || existsSync(join(gitDirectory, 'objects'))
}

/** Untracked files that git ignores; of a directory in which nothing is tracked, the directory alone. Undefined if git reads no repository. */
async function ignoredPaths(environment: Record<string, string>): Promise<ReadonlySet<string> | undefined> {
  const { stdout, exitCode } = await runGit({
    args: ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'],
    environment,
    acceptExitCodes: [0, 128],
  })
  if (exitCode !== 0) return undefined
  const paths = stdout
    .toString()
    .split('\0')
    .filter((path) => path !== '')
  return new Set(paths.map((path) => path.replace(/\/$/, '')))
}
