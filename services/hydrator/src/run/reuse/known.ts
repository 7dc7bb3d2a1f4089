import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { RepeatedObjects } from '@wadi/hydration/repeated-objects.ts'
import { type Results, type Reuse } from '@wadi/incremental/reuse.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { LRUCache } from 'lru-cache'
import type { Member } from '../../applications/application-index.ts'
import type { Directory, Fingerprints } from '../branch-run.ts'
import type { CommittedObjects, MadeObjects } from '../commit/made-objects.ts'
import type { BranchDefinition } from '../definitions/made-kinds.ts'
import { findingsOf, type Inspections, type ListFindings } from '../inspect/list-findings.ts'
import { type SourceList, sourceLists } from '../inspect/source-lists.ts'
import {
  checkMembers,
  type CheckedMembers,
  type GatesOf,
  type Permitted,
  type ProjectRead,
} from '../validate/check-members.ts'
import { FingerprintCache } from './fingerprint-cache.ts'

interface Check {
  readonly of: readonly [groups: readonly (readonly Member[])[], permitted: Permitted]
  readonly checked: CheckedMembers
}

/** Characters of the definitions that are kept. */
const maxDefinitionsLength = 16 * 1024 * 1024

const noFingerprints = { readHead: async () => undefined, write: async () => undefined }

/** The results of earlier runs, by which a run does less. A run that knows nothing comes to the same. */
export class Known {
  readonly #definitions = new LRUCache<string, readonly BranchDefinition[]>({
    maxSize: maxDefinitionsLength,
    sizeCalculation: (definitions) => definitions.reduce((sum, { text }) => sum + text.length, 1),
  })
  readonly #heads: Pick<FingerprintCache, 'readHead' | 'write'>
  readonly #objectTexts: FingerprintCache
  readonly #openObjects: () => Promise<MadeObjects>
  #objects: Promise<MadeObjects> | undefined
  readonly #checks: Results<readonly Member[], Check>
  readonly #lists: Results<readonly Directory[], readonly SourceList[]>
  readonly #findings: Results<SourceList, ListFindings>

  /**
   * @param directory for the files of this process
   * @param shared the memory of all hydrators
   */
  constructor(directory: string, shared: SharedMemory, reuse: Reuse) {
    const cache = (noun: string) => new FingerprintCache(join(directory, `${noun}s`), shared, noun)
    this.#heads = reuse.store<Pick<FingerprintCache, 'readHead' | 'write'>>(
      () => cache('fingerprint'),
      noFingerprints,
    )
    this.#objectTexts = cache('object')
    this.#openObjects = async () => {
      const { MadeObjects } = await import('../commit/made-objects.ts')
      return new MadeObjects(this.#objectTexts)
    }
    this.#checks = reuse.byObject()
    this.#lists = reuse.byObject()
    this.#findings = reuse.byObject()
  }

  /**
   * Returns the fingerprints that a head of a branch was rendered from; undefined if they are not known.
   * @param sameAs an earlier head with the same files of Wadi; empty for none
   */
  async fingerprints(key: string, head: string, sameAs: string): Promise<Fingerprints | undefined> {
    return this.#heads.readHead(key, head, sameAs)
  }

  /** Records the fingerprints that a head of a branch was rendered from. */
  async record(key: string, head: string, fingerprints: Fingerprints): Promise<void> {
    await this.#heads.write(key, head, fingerprints)
  }

  /** Records the objects of a commit and returns those that several Applications make since. */
  async recordObjects(commit: CommittedObjects): Promise<RepeatedObjects[]> {
    this.#objects ??= this.#openObjects()
    return (await this.#objects).committed(commit)
  }

  /**
   * Returns the objects of each directory of a head, as `objectsText` writes them; undefined if they are not known.
   * @param sameAs an earlier head with the same files of Wadi; empty for none
   */
  async objects(key: string, head: string, sameAs = ''): Promise<Fingerprints | undefined> {
    return this.#objectTexts.readHead(key, head, sameAs)
  }

  /**
   * Returns the CustomResourceDefinitions of a directory of a branch; undefined if they are not known.
   * @param fingerprint what it was rendered from; undefined if that is not known
   */
  definitions(
    key: string,
    path: string,
    fingerprint: string | undefined,
  ): readonly BranchDefinition[] | undefined {
    return this.#definitions.get(JSON.stringify([key, path, fingerprint]))
  }

  /** Records the CustomResourceDefinitions of a directory of a branch. */
  recordDefinitions(
    key: string,
    path: string,
    fingerprint: string | undefined,
    definitions: readonly BranchDefinition[],
  ): void {
    if (fingerprint !== undefined)
      this.#definitions.set(JSON.stringify([key, path, fingerprint]), definitions)
  }

  /** `checkMembers`, once for equal members and rules. */
  checked(
    groups: readonly (readonly Member[])[],
    permitted: Permitted,
    projects: ReadonlyMap<string, ProjectRead>,
    gatesOf: GatesOf,
  ): CheckedMembers {
    const [first = []] = groups
    const before = this.#checks.get(first)
    if (before && isDeepStrictEqual(before.of, [groups, permitted])) return before.checked
    const checked = checkMembers(groups, permitted, projects, gatesOf)
    this.#checks.set(first, { of: [groups, permitted], checked })
    return checked
  }

  /** `sourceLists`, once for a list of directories. */
  lists(directories: readonly Directory[]): readonly SourceList[] {
    const lists = this.#lists.get(directories) ?? sourceLists(directories)
    this.#lists.set(directories, lists)
    return lists
  }

  /** `findingsOf`, for the inspections that changed since the last ones of the list. */
  findings(list: SourceList, inspections: Inspections): ListFindings {
    const findings = findingsOf(list, inspections, this.#findings.get(list))
    this.#findings.set(list, findings)
    return findings
  }
}
