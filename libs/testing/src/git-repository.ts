import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeEmptyRepository } from './empty-repository.ts'
import { readRef } from './read-ref.ts'
import { runTestGit, type TestGit, testGit } from './test-git.ts'

/** The options of a test commit. */
type TestCommitOptions = {
  /** `Dry Author <author@example.com>` by default. */
  author?: { name: string; email: string }
  /** The author's date; the present by default. */
  date?: Date
}

/** A repository with a working copy that a test writes commits into. */
export type TestRepository = {
  readonly directory: string
  /** For everything else: branches, tags, remotes, pushes. */
  readonly git: TestGit
  /** Writes files (undefined deletes one), commits exactly these changes and returns the new SHA. */
  commitFiles(
    files: Record<string, string | Buffer | undefined>,
    message: string,
    options?: TestCommitOptions,
  ): Promise<string>
  /** The SHA of the checked-out commit. */
  head(): Promise<string>
}

/**
 * Makes a repository with the branch `main` and no commit in a directory, which is created if needed.
 *
 * @param sharing.objects directory of the objects of a bare repository on this machine: a commit is there as soon as it is made, and a push
 *   is an update of a ref
 */
export async function createRepository(
  directory: string,
  sharing: { objects?: string } = {},
): Promise<TestRepository> {
  await mkdir(directory, { recursive: true })
  await writeEmptyRepository(path.join(directory, '.git'), { bare: false, ...sharing })
  const head = async (): Promise<string> => {
    const sha = await readRef(path.join(directory, '.git'), 'HEAD')
    if (sha === undefined) throw new Error(`${directory} has no commit`)
    return sha
  }
  return {
    directory,
    git: testGit(directory),
    head,
    async commitFiles(files, message, options = {}) {
      for (const [name, content] of Object.entries(files)) {
        const file = path.join(directory, name)
        if (content === undefined) {
          await rm(file, { recursive: true })
        } else {
          await mkdir(path.dirname(file), { recursive: true })
          await writeFile(file, content)
        }
      }
      const { name, email } = options.author ?? { name: 'Dry Author', email: 'author@example.com' }
      const date = options.date === undefined ? [] : [`--date=${options.date.toISOString()}`]
      await runTestGit(directory, ['add', '--all', '--force', '--', ...Object.keys(files)])
      const flags = ['--quiet', '--allow-empty', '--cleanup=verbatim', `--author=${name} <${email}>`]
      await runTestGit(directory, ['commit', ...flags, ...date, '-m', message])
      return head()
    },
  }
}
