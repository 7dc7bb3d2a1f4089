import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { type SimpleGit, simpleGit } from 'simple-git'
import type { RunResult } from './command-line-process-fixture.ts'
import { runWadi, temporaryDirectory } from './run-wadi-fixture.ts'

/** A temporary repository with one commit. */
interface WorkingCopy extends AsyncDisposable {
  root: string
  git: SimpleGit
  write(path: string, content: string | Uint8Array): Promise<void>
  /** Runs the command line, by default in the root. */
  wadi(args: readonly string[], directory?: string): Promise<RunResult>
}

/** Makes a repository with some files, by their paths, and commits them. Objects are named with SHA-1 by default. */
export async function startWorkingCopy(
  files: Readonly<Record<string, string | Uint8Array>>,
  objectFormat: 'sha1' | 'sha256' = 'sha1',
): Promise<WorkingCopy> {
  await using owned = new AsyncDisposableStack()
  const { path } = owned.use(await temporaryDirectory())
  const root = join(path, 'repository')
  const write = async (file: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), content)
  }
  for (const [file, text] of Object.entries(files)) await write(file, text)
  const git = simpleGit(root)
  await git.init(['--initial-branch=main', `--object-format=${objectFormat}`])
  await git.addConfig('user.name', 'Test').addConfig('user.email', 'test@example.com')
  await git.add('.').commit('Add everything')
  const kept = owned.move()
  return {
    root,
    git,
    write,
    wadi: (args, directory = root) => {
      const environment = { XDG_CACHE_HOME: cacheHome }
      return runWadi(args, { directory, environment })
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
