import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'

/** A commit that somebody says a branch of a repository is at now. */
export interface HeadAnnouncement {
  repoUrl: string
  /** Without `refs/heads/`. */
  branch: string
  sha: string
}

/**
 * The announcements for the next run of each hydrated branch. An announcement saves that run a call to the remote and is used once: a later
 * run asks again, as does one on another hydrator.
 */
export class Announcements {
  readonly #byKey = new Map<string, HeadAnnouncement[]>()

  /** Adds announcements for a hydrated branch, in the place of earlier ones of the same dry branches. */
  add(key: string, announced: readonly HeadAnnouncement[]): void {
    const others = this.take(key).filter((old) => !announced.some((one) => isSameBranch(old, one)))
    const all = [...others, ...announced]
    if (all.length > 0) this.#byKey.set(key, all)
  }

  /** Takes what was announced for a hydrated branch away. */
  take(key: string): HeadAnnouncement[] {
    const announced = this.#byKey.get(key) ?? []
    this.#byKey.delete(key)
    return announced
  }
}

function isSameBranch(a: HeadAnnouncement, b: HeadAnnouncement): boolean {
  return a.branch === b.branch && repositoryIdentity(a.repoUrl) === repositoryIdentity(b.repoUrl)
}
