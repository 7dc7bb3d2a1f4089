import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { branchNameError } from '@wadi/git/mirror/revision.ts'
import { runGit } from '@wadi/git/process/run-git.ts'
import { simpleGit } from 'simple-git'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { FileChange } from './file-change.ts'

/**
 * Commits changes of files to a new branch on top of what is checked out. The working tree and its branch stay as they are.
 * @throws CommandFailure for a branch that exists or cannot be one, without a commit, and for files that have changes of their own
 */
export async function commitFiles(
  root: string,
  branch: string,
  changes: readonly FileChange[],
  { message, signal }: { readonly message: string; readonly signal: AbortSignal },
): Promise<string> {
  const git = simpleGit(root, { abort: signal })
  const answer = async (...args: string[]): Promise<string> => (await git.raw(args).catch(() => '')).trim()
  await checkBranch(branch, answer)
  const head = await answer('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (head === '') throw new CommandFailure(`${root} has no commit that ${branch} could begin at`)
  const paths = changes.map(({ path }) => path)
  const changed = await answer('status', '--porcelain', '--', ...paths)
  if (changed !== '') {
    const files = changed.split('\n').map((line) => line.trim().replace(/^\S+ +/, ''))
    throw new CommandFailure(`${files.join(', ')}: not committed; commit or stash them first`)
  }
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-import-'))
  const gitDirectory = await answer('rev-parse', '--absolute-git-dir')
  const environment = { GIT_INDEX_FILE: join(scratch.path, 'index'), GIT_WORK_TREE: root }
  const run = async (args: string[], input?: string): Promise<string> => {
    const options = { args, gitDirectory, environment, signal, ...(input !== undefined && { input }) }
    return (await runGit(options)).stdout.toString().trim()
  }
  await run(['read-tree', head])
  const none = '0'.repeat(head.length)
  const entries: string[] = []
  for (const { path, after } of changes) {
    // Mode 0 takes an entry out.
    if (after === '') entries.push(`0 ${none}\t${path}\0`)
    else {
      const [mode = ''] = (await answer('ls-tree', head, '--', `:(top,literal)${path}`)).split(' ')
      const id = await run(['hash-object', '-w', '--stdin', `--path=${path}`], after)
      entries.push(`${mode || '100644'} ${id}\t${path}\0`)
    }
  }
  await run(['update-index', '-z', '--index-info'], entries.join(''))
  const tree = await run(['write-tree'])
  const commit = (await git.raw(['commit-tree', tree, '-p', head, '-m', message])).trim()
  await git.raw(['update-ref', `refs/heads/${branch}`, commit, none])
  return commit
}

async function checkBranch(branch: string, answer: (...args: string[]) => Promise<string>): Promise<void> {
  const reason = branchNameError(branch)
  if (reason !== undefined)
    throw new CommandFailure(`--commit: ${JSON.stringify(branch)} is not a branch name: it ${reason}`)
  if ((await answer('rev-parse', '--git-dir')) === '') {
    throw new CommandFailure('--commit needs a checkout of git; use --write')
  }
  if ((await answer('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) !== '') {
    throw new CommandFailure(`--commit: branch ${branch} exists; name a new one`)
  }
}
