import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { brokenValue, manifestOf, valueFile } from '../mesh/repo-server-model.ts'
import type { GitServer, RefMove } from '../models/git/git-server.ts'
import type { PlannedApplication, WorldPlan } from '../world/plan.ts'

/** The knowledge of a world of its repository from outside: which dry commits there were, and what others did to branches. */
export class Ledger {
  readonly git: GitServer
  readonly applications: readonly PlannedApplication[]
  /** The place of each dry commit in the history of `main`. */
  readonly rank = new Map<string, number>()
  /** All commits that a branch ever led to, by its short name. */
  readonly seen = new Map<string, Set<string>>()
  readonly #brought = new WeakMap<RefMove, string[]>()
  /** Files that others wrote, with their blobs, by branch. */
  readonly foreign = new Map<string, Map<string, string>>()
  /** Applications whose manifests others changed, or that were away for a while. */
  readonly unsettled = new Set<string>()
  /** Branches that may get a second commit of one dry commit, as others changed them or an Application was replaced. */
  readonly mayRepeat = new Set<string>()

  readonly lineage: 'latest' | 'every'

  constructor(git: GitServer, { applications, lineage }: Pick<WorldPlan, 'applications' | 'lineage'>) {
    this.git = git
    this.applications = applications
    this.lineage = lineage
  }

  /** Takes over a dry commit. */
  dryCommit(sha: string): void {
    this.rank.set(sha, this.rank.size)
  }

  /** Takes over that a ref moved. */
  moved(move: RefMove): void {
    const { ref, to } = move
    if (!ref.startsWith('refs/heads/') || to === undefined) return
    const branch = ref.slice('refs/heads/'.length)
    const seen = this.seen.get(branch) ?? new Set()
    this.seen.set(branch, seen)
    const brought: string[] = []
    for (const sha of this.git.objects.firstParents(to)) {
      if (seen.has(sha)) break
      seen.add(sha)
      brought.push(sha)
    }
    this.#brought.set(move, brought.toReversed())
  }

  /** The commits that a branch never led to before a move, the oldest first. */
  broughtBy(move: RefMove): readonly string[] {
    return this.#brought.get(move) ?? []
  }

  /** The dry commit that a hydrated commit says it is of; empty for none. */
  dryOf(sha: string): string {
    return readHydratorMetadata(this.git.objects.textOf(sha, 'hydrator.metadata') ?? '').drySha
  }

  /** The place of the dry commit of a commit and of a note on it, whichever is later; -1 for none. */
  positionOf(sha: string, notes: string | undefined): number {
    const noted = readHydratorMetadata(this.noteOf(sha, notes)).drySha
    return Math.max(this.rank.get(this.dryOf(sha)) ?? -1, this.rank.get(noted) ?? -1)
  }

  /** The note on a commit in a commit of notes; empty for none. */
  noteOf(sha: string, notes: string | undefined): string {
    if (notes === undefined) return ''
    const { files } = this.git.objects.commit(notes)
    const path = [...files.keys()].find((file) => file.replaceAll('/', '') === sha)
    return path === undefined ? '' : (this.git.objects.textOf(notes, path) ?? '')
  }

  /** The value of an Application at a dry commit. */
  valueAt(drySha: string, application: string): string | undefined {
    return this.git.objects.textOf(drySha, `apps/${application}/${valueFile}`)
  }

  /** True if an Application that was on a branch all the time cannot be rendered at a dry commit, so that none of them may be hydrated. */
  isBroken(drySha: string, branch: string): boolean {
    return this.#of(branch).some(
      ({ name }) => !this.unsettled.has(name) && this.valueAt(drySha, name) === brokenValue,
    )
  }

  /** The Applications whose manifests on a commit of a branch are not those of a dry commit. @param settled leaves out those that others disturbed */
  differing(sha: string, branch: string, drySha: string, settled = true): string[] {
    return this.#of(branch).flatMap(({ name }) => {
      if (settled && this.unsettled.has(name)) return []
      const found = this.git.objects.textOf(sha, `${name}/manifest.yaml`)
      return found === manifestText(this.valueAt(drySha, name) ?? '') ? [] : [name]
    })
  }

  /** The branch of an Application; empty for one that is not planned. */
  branchOf(application: string): string {
    return this.applications.find(({ name }) => name === application)?.branch ?? ''
  }

  /** The branch that a branch is promoted to; empty for one that is deployed directly. */
  baseOf(branch: string): string {
    return this.#of(branch)[0]?.promotion?.base ?? ''
  }

  #of(branch: string): PlannedApplication[] {
    return this.applications.filter((application) => application.branch === branch)
  }
}

const manifestTexts = new Map<string, string>()

/** The manifest of a value as Wadi writes it. */
function manifestText(value: string): string {
  const text = manifestTexts.get(value) ?? emitManifests([manifestFromJson(manifestOf(value))])
  manifestTexts.set(value, text)
  return text
}
