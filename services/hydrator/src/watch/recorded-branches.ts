import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { type HydratedBranchStatus, readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

type LeftTo = NonNullable<HydratedBranchStatus['leftTo']>

const owners: Readonly<Record<LeftTo, string>> = {
  'argo-cd': "Argo CD's own hydrator",
  'other-installation': 'another installation of Wadi',
}

/** The branches that are left to somebody else and those that fail, as the records of all hydrators say. */
export class RecordedBranches {
  readonly #failing = new Set<string>()
  readonly #branches = new Map<string, { readonly name: string; readonly leftTo: LeftTo }>()

  /** They are counted whenever metrics are read. */
  constructor(metrics: MetricsRegistry) {
    metrics.gauge(
      'left_branches',
      "Hydrated branches that are left to Argo CD's own hydrator (argo-cd) or to another installation (other-installation).",
      ['to'],
      async (gauge) => {
        for (const to of leftTos) gauge.set({ to }, this.#leftTo(to).length)
      },
    )
    metrics.gauge(
      'failing_branches',
      'Hydrated branches of which the newest run that ended failed for an Application.',
      [],
      async (gauge) => gauge.set(this.#failing.size),
    )
  }

  /** Follows the records until the signal; resolves then. */
  async follow(store: Pick<ResourceStore, 'watch'>, signal: AbortSignal): Promise<void> {
    for await (const { type, resource } of store.watch('HydratedBranch', { signal })) {
      if (resource.metadata.namespace !== controlPlaneNamespace) continue
      const { repoUrl, branch, status } = readHydratedBranch(resource)
      const { leftTo, groups } = status
      const key = resource.metadata.name
      const isFailing = type !== 'deleted' && groups.some(({ phase }) => phase === 'Failed')
      if (isFailing) this.#failing.add(key)
      // A retry that is under way says nothing yet.
      else if (type === 'deleted' || !groups.some(({ phase }) => phase === 'Hydrating'))
        this.#failing.delete(key)
      if (type === 'deleted' || leftTo === undefined || !Object.hasOwn(owners, leftTo))
        this.#branches.delete(key)
      else this.#branches.set(key, { name: `${branch} of ${redactUrl(repoUrl)}`, leftTo })
    }
  }

  /** Names the first branch that is left to each, and how many there are; undefined for none. */
  warning(): string | undefined {
    const texts = leftTos.flatMap((leftTo) => {
      const names = this.#leftTo(leftTo)
      const [first] = names.toSorted()
      const count = names.length === 1 ? '1 is' : `${names.length} are`
      return first === undefined ? [] : [`${count} left to ${owners[leftTo]}, first ${first}`]
    })
    if (texts.length === 0) return undefined
    return `${texts.join('; ')}; the status of their Applications says why and what to do`
  }

  #leftTo(wanted: LeftTo): string[] {
    return [...this.#branches.values()].flatMap(({ name, leftTo }) => (leftTo === wanted ? [name] : []))
  }
}

const leftTos = Object.keys(owners) as LeftTo[]
