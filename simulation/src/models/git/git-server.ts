import { changedFiles } from './fast-import-model.ts'
import { GitObjects } from './git-objects.ts'

/** A ref that a push is to move. */
export interface PushedRef {
  readonly ref: string
  readonly source: string
  /** The object that the pusher expects there, empty for none; undefined if any will do. */
  readonly expected: string | undefined
  /** True if the pusher wants it moved even if that is no step forward. */
  readonly isForced: boolean
}

/** A ref that moved. */
export interface RefMove {
  readonly ref: string
  readonly from: string | undefined
  readonly to: string | undefined
  /** True if Wadi moved it. */
  readonly isOwn: boolean
}

/** A git server with one repository. */
export class GitServer {
  readonly objects = new GitObjects()
  readonly refs = new Map<string, string>()
  /** Full names of refs that its hook refuses to move. */
  readonly protectedRefs = new Set<string>()
  /** False if it cannot move several refs as one. */
  isAtomic = true
  /** True while it does not know the credentials of Wadi. */
  refusesLogin = false
  #moves = 0
  readonly #onMove: (move: RefMove) => void

  /** @param onMove is called for each ref that moves */
  constructor(onMove: (move: RefMove) => void = () => undefined) {
    this.#onMove = onMove
  }

  /** The number of moves of refs so far. */
  get moves(): number {
    return this.#moves
  }

  /** Moves refs as they are pushed; returns the reason for each that did not move, as git words it. */
  push(pushed: readonly PushedRef[], atomic: boolean): Map<string, string> {
    const rejections = new Map<string, string>()
    for (const one of pushed) {
      const reason = this.#rejection(one)
      if (reason !== undefined) rejections.set(one.ref, reason)
    }
    if (atomic && rejections.size > 0) {
      for (const { ref } of pushed)
        if (!rejections.has(ref)) rejections.set(ref, '[rejected] (atomic push failed)')
      return rejections
    }
    for (const { ref, source } of pushed) if (!rejections.has(ref)) this.move(ref, source, true)
    return rejections
  }

  /** Moves a ref, or removes it, whoever wants it. */
  move(ref: string, to: string | undefined, isOwn = false): void {
    const from = this.refs.get(ref)
    if (to === undefined) this.refs.delete(ref)
    else this.refs.set(ref, to)
    if (from === to) return
    this.#moves++
    this.#onMove({ ref, from, to, isOwn })
  }

  /** Commits changes of somebody else on top of a commit, and returns the new one. */
  commit(
    parent: string | undefined,
    changes: Readonly<Record<string, string | undefined>>,
    { message, seconds }: { message: string; seconds: number },
  ): string {
    const before = parent === undefined ? new Map() : this.objects.commit(parent).files
    const person = `Somebody <somebody@example.com> ${seconds} +0000`
    return this.objects.putCommit({
      parents: parent === undefined ? [] : [parent],
      files: changedFiles(this.objects, before, changes),
      author: person,
      committer: person,
      message: `${message}\n`,
    })
  }

  #rejection({ ref, source, expected, isForced }: PushedRef): string | undefined {
    const current = this.refs.get(ref)
    if (expected !== undefined && expected !== (current ?? '')) return '[rejected] (stale info)'
    const isForward = current === undefined || this.objects.isAncestor(current, source)
    if (!isForward && !isForced && expected === undefined) return '[rejected] (non-fast-forward)'
    return this.protectedRefs.has(ref) ? '[remote rejected] (hook declined)' : undefined
  }
}
