import { createHash } from 'node:crypto'
import { type CommitTree, openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { ObjectReader } from '@wadi/git/objects/object-reader.ts'
import { runGit } from '@wadi/git/process/run-git.ts'
import { heldMetadata } from '@wadi/hydration/held-metadata.ts'
import { hydratedFiles, notesRef } from '@wadi/hydration/hydrated-files.ts'
import { attestationPath, newestAttestedPath } from '@wadi/signatures/attestations/attestation-places.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/** A commit of a hydrated branch. */
export interface HistoryCommit {
  readonly sha: string
  readonly tree: string
  readonly parents: readonly string[]
  /** `Name <email>`. */
  readonly author: string
}

const maxObjectBytes = 64 * 1024 * 1024

/** The hydrated branches of a clone and what is attested of them, read without a checkout and without a network. */
export class HydratedHistory implements AsyncDisposable {
  readonly #gitDirectory: string
  readonly #objects: ObjectReader
  readonly #trees = new TreeCache()
  readonly #digests = new Map<string, Promise<string>>()
  readonly #notes: string

  private constructor(gitDirectory: string, objects: ObjectReader, notes: string) {
    this.#gitDirectory = gitDirectory
    this.#objects = objects
    this.#notes = notes
  }

  /** @throws CommandFailure without the notes, with the command that fetches them */
  static async open(gitDirectory: string): Promise<HydratedHistory> {
    const objects = new ObjectReader(gitDirectory)
    const notes = await objects.resolve(`${notesRef}^{commit}`)
    if (notes !== undefined) return new HydratedHistory(gitDirectory, objects, notes)
    await objects.close()
    throw new CommandFailure(
      `this clone has no ${notesRef}, where attestations are; fetch it with "git fetch origin ${notesRef}:${notesRef}", or with --fetch`,
    )
  }

  /** Returns the id of the commit that the first known of some revisions names; undefined if none does. */
  async resolve(...revisions: string[]): Promise<string | undefined> {
    for (const revision of revisions) {
      const sha = await this.#objects.resolve(`${revision}^{commit}`)
      if (sha !== undefined) return sha
    }
    return undefined
  }

  /** Returns the commits that lead to a head, without those that lead to another commit, by their ids. */
  async commits(head: string, without: string | undefined): Promise<Map<string, HistoryCommit>> {
    const exclusion = without === undefined ? [] : [`^${without}`]
    const args = ['log', '-z', '--format=%H%n%T%n%P%n%an <%ae>', head, ...exclusion, '--']
    const { stdout } = await runGit({ args, gitDirectory: this.#gitDirectory })
    const records = stdout.toString().split('\0').filter(Boolean)
    return new Map(
      records.map((record) => {
        const [sha = '', tree = '', parents = '', author = ''] = record.split('\n')
        return [sha, { sha, tree, parents: parents.split(' ').filter(Boolean), author }]
      }),
    )
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    const args = ['merge-base', '--is-ancestor', older, newer]
    const options = { args, gitDirectory: this.#gitDirectory, acceptExitCodes: [0, 1] }
    return (await runGit(options)).exitCode === 0
  }

  /** The bytes of a commit. */
  async commitBytes(sha: string): Promise<Buffer> {
    return (await this.#objects.read(sha, maxObjectBytes)).bytes
  }

  async tree(sha: string): Promise<CommitTree> {
    return openCommitTree(this.#objects, this.#trees, sha)
  }

  /** The attestations of a commit, one envelope a line; empty without any. */
  async attestations(sha: string): Promise<string> {
    return this.#note(attestationPath(sha))
  }

  /** The newest attested commit of a branch; empty if that is not known. */
  async newestAttested(branch: string): Promise<string> {
    return (await this.#note(newestAttestedPath(branch))).trim()
  }

  /** The SHA-256 of a file, in hexadecimal. */
  fileDigest(id: string): Promise<string> {
    return this.#digests.getOrInsertComputed(id, async () => {
      const { bytes } = await this.#objects.read(id, maxObjectBytes)
      return createHash('sha256').update(bytes).digest('hex')
    })
  }

  /** The hydrated directories of a commit, those with a `hydrator.metadata`; `.` is the root, where one without Applications is the branch's. */
  async hydratedDirectories(sha: string): Promise<string[]> {
    const args = ['ls-tree', '-r', '-z', '--name-only', sha]
    const { stdout } = await runGit({ args, gitDirectory: this.#gitDirectory })
    const ending = `/${hydratedFiles.metadata}`
    const paths = stdout
      .toString()
      .split('\0')
      .filter((path) => path.endsWith(ending))
    const root = await heldMetadata(await this.tree(sha), '')
    return [
      ...(root?.applications === undefined ? [] : ['.']),
      ...paths.map((path) => path.slice(0, -ending.length)),
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects.close()
  }

  async #note(path: string): Promise<string> {
    const tree = await this.tree(this.#notes)
    const entry = await tree.entry(path)
    if (entry?.kind !== 'file') return ''
    return (await tree.read(entry, maxObjectBytes)).toString()
  }
}
