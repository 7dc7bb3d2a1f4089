import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runGit } from './run-git.ts'

const notesRef = 'refs/notes/hydrator.metadata'
/** Between two looks: a hundredth of what it takes already, so that looking neither costs the mesh much nor blurs the result. */
const pollMilliseconds = { share: 0.01, least: 2, most: 20 }
const deadlineMilliseconds = 30 * 60_000

/** The hydrated branches of a repository, read on the server's disk so that looking costs the mesh nothing. */
export class HydratedBranches {
  readonly #bare: string
  readonly #branches: readonly string[]

  constructor(bare: string, branches: readonly string[]) {
    this.#bare = bare
    this.#branches = branches
  }

  /** The heads by branch, of those that exist. */
  heads(): Map<string, string> {
    const heads = this.#branches.map((branch) => [branch, this.#readRef(`refs/heads/${branch}`)] as const)
    return new Map(heads.filter(([, sha]) => sha !== ''))
  }

  /** Waits until a branch has another head than `from`. */
  async moved(branch: string, from: string | undefined): Promise<void> {
    await this.#until(`${branch} to move`, async () => {
      const head = this.#readRef(`refs/heads/${branch}`)
      return head !== '' && head !== from
    })
  }

  /** Waits until the heads of all branches have a note that names a dry commit. */
  async noted(drySha: string): Promise<void> {
    let seen = ''
    await this.#until(`notes of ${drySha}`, async () => {
      const notes = this.#readRef(notesRef)
      if (notes === seen) return false
      seen = notes
      const heads = this.heads()
      if (heads.size < this.#branches.length) return false
      const texts = await this.#notes(notes, [...heads.values()])
      return texts.length === heads.size && texts.every((text) => text.includes(drySha))
    })
  }

  /** The notes on commits, by one process: to look must not take time from what is measured. */
  async #notes(notes: string, heads: readonly string[]): Promise<string[]> {
    const names = heads.flatMap((head) => [head, `${head.slice(0, 2)}/${head.slice(2)}`])
    const input = Buffer.from(names.map((name) => `${notes}:${name}\n`).join(''))
    const args = ['-C', this.#bare, 'cat-file', '--batch']
    const answers = (await runGit(args, { PATH: process.env['PATH'] ?? '' }, input)).toString()
    return answers.split(/^[0-9a-f]{40} blob \d+$/m).slice(1)
  }

  async #until(what: string, happened: () => Promise<boolean>): Promise<void> {
    const { share, least, most } = pollMilliseconds
    const started = performance.now()
    while (!(await happened())) {
      const elapsed = performance.now() - started
      if (elapsed > deadlineMilliseconds) throw new Error(`waited in vain for ${what}`)
      await pause(Math.min(most, Math.max(least, share * elapsed)))
    }
  }

  /** The server keeps each ref in a file of its own, as nothing packs them. */
  #readRef(ref: string): string {
    try {
      return readFileSync(path.join(this.#bare, ref), 'latin1').trim()
    } catch {
      return ''
    }
  }
}
