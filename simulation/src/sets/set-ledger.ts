import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { isBeingDeleted, type Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'

/** The deletions of one pass that need no confirmation: so many Applications, or such a share of them in percent. */
const freeDeletions = { count: 5, share: 50 }

/** The knowledge of a world of sets of who wrote what, which judges each write of an Application. */
export class SetLedger {
  readonly problems: string[] = []
  /** The projects that the authors of marks may use; a mark of somebody who is no author has none. */
  readonly #projects = new Map<string, string | undefined>()
  /** The versions that users saw, by mark. */
  readonly #seen = new Map<string, string>()
  /** The marks that the set had, the newest last. */
  readonly #marks: string[] = []
  #set: Resource | undefined
  readonly #applications = new Map<string, Resource>()
  /** Of the newest version of the set: the most Applications that it had, and those that were deleted, each once. */
  #version = { generation: 0, owned: 0, deleted: new Set<string>() }
  #isOver = false

  /** Takes over a mark. @param seen the version of the set that its user saw; empty for any */
  mark(mark: string, project: string, seen = ''): void {
    this.#projects.set(mark, project)
    this.#seen.set(mark, seen)
  }

  /** Has deletions be anybody's from now on. */
  end(): void {
    this.#isOver = true
  }

  /** The Applications as they are, by name, each as its mark. */
  marks(): Map<string, string> {
    return new Map([...this.#applications].map(([name, application]) => [name, sourceOf(application).mark]))
  }

  /** Takes over a change of the set. */
  setChanged({ type, resource }: ResourceEvent): void {
    const { generation = 0 } = resource.metadata
    const seen = this.#seen.get(markOf(resource)) ?? ''
    const before = this.#set
    const isWritten = type !== 'deleted' && (!before || markOf(before) !== markOf(resource))
    if (isWritten && seen !== '' && (!before || seen !== decidedVersion(before)))
      this.problems.push(`set ${markOf(resource)} replaces one that its user did not see`)
    if (isWritten) this.#marks.push(markOf(resource))
    this.#set = type === 'deleted' ? undefined : resource
    if (generation !== this.#version.generation) {
      this.#version = { generation, owned: this.#applications.size, deleted: new Set() }
    }
  }

  /** Takes over a change of an Application, and judges it. */
  applicationChanged({ type, resource }: ResourceEvent): void {
    const { name } = resource.metadata
    if (type === 'deleted' || isBeingDeleted(resource)) {
      if (this.#applications.delete(name)) this.#judgeDeletion(name)
      return
    }
    const before = this.#applications.get(name)
    this.#applications.set(name, resource)
    this.#version.owned = Math.max(this.#version.owned, this.#applications.size)
    const { mark, project } = sourceOf(resource)
    const former = before ? sourceOf(before).mark : mark
    if (this.#marks.lastIndexOf(mark) < this.#marks.lastIndexOf(former))
      this.problems.push(`Application ${name} goes back from ${former} to ${mark}`)
    if (this.#projects.get(mark) === undefined) {
      this.problems.push(`Application ${name} is made of ${mark}, which nobody with an identity applied`)
    } else if (this.#projects.get(mark) !== project) {
      this.problems.push(
        `Application ${name} of ${mark} is in project ${project}, which its author may not use`,
      )
    }
  }

  #judgeDeletion(name: string): void {
    const version = this.#version
    if (this.#isOver) return
    version.deleted.add(name)
    const { owned } = version
    const deleted = version.deleted.size
    if (deleted <= freeDeletions.count || deleted * 100 <= owned * freeDeletions.share) return
    this.problems.push(`${name} is deleted, the ${deleted}th of ${owned}, and nobody confirmed that`)
  }
}

/** The mark of the elements of a set. */
function markOf({ spec = {} }: Resource): string {
  const { generators } = spec as { generators: [{ list: { elements: readonly { mark: string }[] } }] }
  return generators[0].list.elements[0]?.mark ?? ''
}

function sourceOf({ spec = {} }: Resource): { mark: string; project: string } {
  const { project, source } = spec as { project: string; source: { path: string } }
  return { mark: source.path, project }
}
