import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import { valueFile } from '../mesh/repo-server-model.ts'
import type { GitServer, RefMove } from '../models/git/git-server.ts'
import type { Project, UserRequest } from './planned-gateway.ts'

/** A request as it was sent, under a mark that is in what it writes. */
export interface SentRequest extends UserRequest {
  readonly mark: string
  /** The time at which it was sent, in milliseconds. */
  readonly at: number
  /** The versions and the commit that its user saw; each empty if it names none. */
  readonly seen: { readonly resourceVersion: string; readonly version: string; readonly drySha: string }
}

/** The rights and objects from a time on. */
interface Moment {
  readonly at: number
  /** `user project` for each project that a user may do everything in. */
  readonly rights: ReadonlySet<string>
  /** The projects that permit the Applications of the world. */
  readonly open: ReadonlySet<string>
  readonly applications: ReadonlyMap<string, Resource>
}

/** The annotation and the label with the mark of a request. */
export const markName = 'mark'

/** The knowledge of a world of gateways of who may do what and who asked for what, which judges each write. */
export class GatewayLedger {
  readonly problems: string[] = []
  readonly #git: GitServer
  readonly #now: () => number
  /** The time for which a gateway may not have heard of a change, in milliseconds. */
  readonly #lagMs: number
  readonly #requests = new Map<string, SentRequest>()
  readonly #moments: Moment[]
  #isOperators = false

  constructor(git: GitServer, now: () => number, lagMs: number) {
    this.#git = git
    this.#now = now
    this.#lagMs = lagMs
    this.#moments = [{ at: 0, rights: new Set(), open: new Set(), applications: new Map() }]
  }

  sent(request: SentRequest): void {
    this.#requests.set(request.mark, request)
  }

  /** Has what happens meanwhile be the work of an operator. */
  asOperator(work: () => void): void {
    this.#isOperators = true
    work()
    this.#isOperators = false
  }

  setRight(user: string, project: string, has: boolean): void {
    const rights = new Set(this.#latest.rights)
    if (has) rights.add(`${user} ${project}`)
    else rights.delete(`${user} ${project}`)
    this.#append({ rights })
  }

  setOpen(project: string, isOpen: boolean): void {
    const open = new Set(this.#latest.open)
    if (isOpen) open.add(project)
    else open.delete(project)
    this.#append({ open })
  }

  get rights(): ReadonlySet<string> {
    return this.#latest.rights
  }

  /** Takes over a change of an Application, and judges it. */
  applicationChanged({ type, resource }: ResourceEvent): void {
    const { name } = resource.metadata
    const previous = this.#latest.applications.get(name)
    const next = type === 'deleted' ? undefined : resource
    if (!this.#isOperators) this.#judge(name, previous, next)
    const applications = new Map(this.#latest.applications)
    if (next) applications.set(name, next)
    else applications.delete(name)
    this.#append({ applications })
  }

  /** Takes over that a ref moved, and judges it. */
  refMoved({ ref, from, to, isOwn }: RefMove): void {
    if (!isOwn) return
    const { objects } = this.#git
    if (ref !== 'refs/heads/main' || from === undefined || to === undefined) {
      this.problems.push(`Wadi moves ${ref}`)
      return
    }
    const { parents, message } = objects.commit(to)
    const request = this.#requests.get(message.trim())
    if (parents[0] !== from) this.problems.push(`commit "${message.trim()}" is not built on the head of main`)
    if (!request) {
      this.problems.push(`commit "${message.trim()}" is of nobody`)
      return
    }
    const { application, action, seen, mark } = request
    const path = `apps/${application}/${valueFile}`
    const valueAt = (sha: string): string | undefined => objects.textOf(sha, path)
    const wanted = action.kind === 'set' ? mark : valueAt([...objects.firstParents(to)].at(-1) ?? '')
    const paths = objects.differingPaths(from, to)
    if (paths.join() !== path || valueAt(to) !== wanted)
      this.problems.push(`commit ${mark} changes ${paths.join()} to ${valueAt(to)}`)
    if (seen.drySha !== '' && valueAt(from) !== valueAt(seen.drySha))
      this.problems.push(`commit ${mark} replaces ${valueAt(from)}, which its author did not see`)
    this.#require(request, `commit ${mark}`, (moment) => {
      const stored = moment.applications.get(application)
      return stored && mayWrite(moment, request.user, projectOf(stored)) && moment.open.has(projectOf(stored))
    })
  }

  #judge(name: string, previous: Resource | undefined, next: Resource | undefined): void {
    if (!next) return this.#judgeDeletion(name, previous)
    if (previous && content(previous) === content(next)) return undefined
    const request = this.#requests.get(markOf(previous, next))
    if (!request) {
      this.problems.push(`Application ${name} is written by nobody: ${JSON.stringify(next)}`)
      return undefined
    }
    const { user, action, mark, seen } = request
    const label = `Application ${name}, as ${user} wrote it (${mark}),`
    if (seen.resourceVersion !== '' && previous?.metadata.resourceVersion !== seen.resourceVersion)
      this.problems.push(`${label} replaces one that ${user} did not see`)
    if (seen.version !== '' && (!previous || decidedVersion(previous) !== seen.version))
      this.problems.push(`${label} changes one that ${user} did not see`)
    const concerned = [next, ...(previous ? [previous] : [])].map(projectOf)
    for (const project of concerned)
      this.#require(request, `${label} in ${project}`, (moment) => mayWrite(moment, user, project))
    if (action.kind !== 'label')
      this.#require(request, `${label} against the rules of ${projectOf(next)}`, ({ open }) =>
        open.has(projectOf(next)),
      )
    return undefined
  }

  #judgeDeletion(name: string, previous: Resource | undefined): void {
    if (!previous) return
    const project = projectOf(previous)
    const isOf = ({ action, application, user, seen, at }: SentRequest): boolean =>
      action.kind === 'delete' &&
      application === name &&
      (seen.version === '' || decidedVersion(previous) === seen.version) &&
      this.#ever(at, (moment) => mayWrite(moment, user, project))
    if (![...this.#requests.values()].some(isOf))
      this.problems.push(`Application ${name} of ${project} is deleted by nobody who may`)
  }

  /** Reports what nothing permitted at any moment that its gateway could know of. */
  #require({ at }: SentRequest, label: string, holds: (moment: Moment) => boolean | undefined): void {
    if (!this.#ever(at, holds)) this.problems.push(`${label} is permitted by nothing`)
  }

  #ever(at: number, holds: (moment: Moment) => boolean | undefined): boolean {
    const from = Math.min(at, this.#now()) - this.#lagMs
    return this.#moments.some((moment, index) => {
      const isInTime = (this.#moments[index + 1]?.at ?? Infinity) >= from
      return isInTime && holds(moment) === true
    })
  }

  get #latest(): Moment {
    const latest = this.#moments.at(-1)
    if (!latest) throw new Error('there is always a moment')
    return latest
  }

  #append(change: Partial<Moment>): void {
    this.#moments.push({ ...this.#latest, ...change, at: this.#now() })
  }
}

function mayWrite({ rights }: Moment, user: string, project: string): boolean {
  return rights.has(`${user} ${project}`)
}

function projectOf({ spec = {} }: Resource): Project {
  return spec['project'] as Project
}

/** The mark that a write brought: in an annotation, a label, or the name of a branch. */
function markOf(previous: Resource | undefined, next: Resource): string {
  const found = marksOf(next)
  const before = previous ? marksOf(previous) : []
  return found.find((mark, index) => mark !== '' && mark !== before[index]) ?? ''
}

function marksOf({ metadata, spec = {} }: Resource): string[] {
  const { syncSource } = spec['sourceHydrator'] as { syncSource: { targetBranch: string } }
  const { annotations = {}, labels = {} } = metadata
  return [annotations[markName] ?? '', labels[markName] ?? '', syncSource.targetBranch.replace('env/', '')]
}

/** The parts that users decide. */
function content({ metadata: { labels = {}, annotations = {} }, spec = {} }: Resource): string {
  return canonicalJson({ labels, annotations, spec })
}
