import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '@wadi/git/process/run-git.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'

/**
 * Opens the files of a checkout as a commit of them would have them: new files are there, and what git ignores is not, as no server gets
 * it. Of a directory without a repository all files are there.
 * @param warn is given a sentence for each ignored file or directory that something asks for by its path
 */
export async function openWorkingTree(root: string, warn: (message: string) => void): Promise<FileTree> {
  return openDirectoryTree(root, {
    paths: await ignoredPaths(root),
    whenAsked: (path) =>
      warn(`${path} is left out, as git ignores it and a server does not have it; commit it if it is needed`),
  })
}

/** Untracked files that git ignores; of a directory in which nothing is tracked, the directory alone. */
async function ignoredPaths(root: string): Promise<ReadonlySet<string>> {
  const gitDirectory = join(root, '.git')
  // Whoever unpacks an archive with a directory of this name has no repository either.
  if (
    !existsSync(gitDirectory) ||
    (statSync(gitDirectory).isDirectory() && !existsSync(join(gitDirectory, 'objects')))
  )
    return new Set()
  const { stdout, exitCode } = await runGit({
    args: ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'],
    environment: { GIT_DIR: gitDirectory, GIT_WORK_TREE: root },
    acceptExitCodes: [0, 128],
  })
  if (exitCode !== 0) return new Set()
  const paths = stdout
    .toString()
    .split('\0')
    .filter((path) => path !== '')
  return new Set(paths.map((path) => path.replace(/\/$/, '')))
}
