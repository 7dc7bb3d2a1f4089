import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { createRepository } from '@wadi/testing/git-repository.ts'
import type { TestRepository } from '@wadi/testing/git-repository.ts'
import { readRef } from '@wadi/testing/read-ref.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** A served repository as a developer, a reviewer and a promoter see it. */
export class RepositoryFixture {
  /** As Applications name it. */
  readonly url: string
  /** The bare repository that the server serves. */
  readonly directory: string
  /** The working copy of `main`. */
  readonly dry: TestRepository
  readonly #scratch: string
  #foreigners = 0

  private constructor(served: { url: string; directory: string }, dry: TestRepository, scratch: string) {
    this.url = served.url
    this.directory = served.directory
    this.dry = dry
    this.#scratch = scratch
  }

  /** Opens a served repository; working copies go to `scratch`. */
  static async open(served: { url: string; directory: string }, scratch: string): Promise<RepositoryFixture> {
    const dry = await createRepository(join(scratch, 'dry'), { objects: join(served.directory, 'objects') })
    return new RepositoryFixture(served, dry, scratch)
  }

  /** Commits files to `main` (undefined deletes one), pushes and returns the dry SHA. */
  async push(
    files: Record<string, string | undefined>,
    message = 'Change the configuration',
    options: Parameters<TestRepository['commitFiles']>[2] = {},
  ): Promise<string> {
    const sha = await this.dry.commitFiles(files, message, options)
    await this.#git(['update-ref', 'refs/heads/main', sha])
    return sha
  }

  /** Pushes a commit of somebody else on top of a branch, which is created when it is missing; returns its SHA. */
  async pushForeign(branch: string, files: Record<string, string | undefined>): Promise<string> {
    const copy = await createRepository(join(this.#scratch, `foreign-${++this.#foreigners}`), {
      objects: join(this.directory, 'objects'),
    })
    const before = await this.head(branch)
    if (before !== '') await copy.git.raw(['reset', '--quiet', '--hard', before])
    const sha = await copy.commitFiles(files, 'Something of our own', {
      author: { name: 'Foreigner', email: 'foreigner@example.com' },
    })
    await this.#git(['update-ref', `refs/heads/${branch}`, sha, before || '0'.repeat(40)])
    return sha
  }

  /** Deletes a branch, or makes it name another commit, as a person does with a forced push. */
  async pointBranch(branch: string, to: string | undefined): Promise<void> {
    await this.pointRef(`refs/heads/${branch}`, to)
  }

  /** Deletes a ref, or makes it name another commit, as forges do with those of pull requests. */
  async pointRef(ref: string, to: string | undefined): Promise<void> {
    await this.#git(to === undefined ? ['update-ref', '-d', ref] : ['update-ref', ref, to])
  }

  /** Merges one branch into another as a promoter does with a pull request. */
  async fastForward(branch: string, to: string): Promise<void> {
    await this.#git(['update-ref', `refs/heads/${branch}`, await this.head(to)])
  }

  /** The SHA of a branch; empty when there is none. */
  async head(branch: string): Promise<string> {
    return (await readRef(this.directory, `refs/heads/${branch}`)) ?? ''
  }

  /** Waits until a branch's head is as wanted. */
  async waitForHead(branch: string, isWanted: (head: string) => boolean): Promise<void> {
    for await (const _ of setInterval(50, undefined, { signal: AbortSignal.timeout(hangLimitMs) })) {
      if (isWanted(await this.head(branch))) return
    }
  }

  /** All branches but `main`, sorted. */
  async hydratedBranches(): Promise<string[]> {
    const text = await this.#git(['for-each-ref', '--format=%(refname:short)', 'refs/heads/'])
    return lines(text).filter((branch) => branch !== 'main')
  }

  /** The commits of a branch, the newest first; none when there is no branch. */
  async commits(branch: string): Promise<string[]> {
    if ((await this.head(branch)) === '') return []
    return lines(await this.#git(['rev-list', '--first-parent', `refs/heads/${branch}`]))
  }

  /** A field of a commit in the words of `git log --format`. */
  async commitField(commit: string, format: string): Promise<string> {
    return (await this.#git(['log', '-1', `--format=${format}`, commit])).trim()
  }

  /** The files of a commit or branch, sorted. */
  async files(revision: string): Promise<string[]> {
    return lines(await this.#git(['ls-tree', '-r', '--name-only', revision]))
  }

  /** The files that a commit changed against its first parent, or all of a first commit, sorted. */
  async changedFiles(commit: string): Promise<string[]> {
    const flags = ['--root', '--first-parent', '-m', '-r', '--no-commit-id', '--name-only']
    return lines(await this.#git(['diff-tree', ...flags, commit]))
  }

  /** The text of a file. */
  async read(revision: string, path: string): Promise<string> {
    return this.#git(['show', `${revision}:${path}`])
  }

  /** The texts of a file in several commits, one after the other. */
  async readEach(commits: readonly string[], path: string): Promise<string> {
    return this.#git(['show', ...commits.map((commit) => `${commit}:${path}`)])
  }

  /** The note of a branch's head for promoters, without the id of the installation, which no two tests share; empty when it has none. */
  async note(branch: string): Promise<string> {
    return (await this.wholeNote(branch)).replace(/,"installation":"[^"]*"/, '')
  }

  /** The note of a branch's head; empty when it has none. */
  async wholeNote(branch: string): Promise<string> {
    const flags = ['notes', '--ref=refs/notes/hydrator.metadata']
    const head = await this.head(branch)
    const listed = await this.#git([...flags, 'list']).catch(() => '')
    if (!listed.includes(` ${head}`)) return ''
    return this.#git([...flags, 'show', head])
  }

  /** Puts a hook into the served repository; `text` begins with `#!`. */
  async setHook(name: 'pre-receive' | 'post-receive', text: string): Promise<void> {
    await writeFile(join(this.directory, 'hooks', name), text, { mode: 0o755 })
  }

  async #git(args: readonly string[]): Promise<string> {
    return await runTestGit(this.directory, args)
  }
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
