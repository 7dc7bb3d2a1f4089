import type { PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { listApplications } from '../../applications/list-applications.ts'
import type { CommandSession } from '../../command-line/command-session.ts'
import type { HeldManifests } from './compare-application.ts'
import { type FoundApplications, localApplications } from './local-applications.ts'

/** Bytes of a manifest.yaml that a branch holds. */
const maxManifestBytes = 64 * 1024 * 1024

/** Where a status has the dry commit that the branch holds. */
const drySha = ['status', 'sourceHydrator', 'lastSuccessfulOperation', 'drySHA'] as const

/** What a comparison needs of Applications. */
const fields = ['apiVersion', 'kind', 'metadata', 'spec', drySha.join('.')]

/** The Applications of a server that take their dry source from one repository. */
export class ServedApplications {
  readonly #session: CommandSession
  readonly #repoUrl: string
  readonly #drySHAs = new Map<string, string>()
  #found: Promise<FoundApplications> | undefined

  constructor(session: CommandSession, repoUrl: string) {
    this.#session = session
    this.#repoUrl = repoUrl
  }

  /** Asks the server the first time; later calls get the same answer. */
  list(): Promise<FoundApplications> {
    this.#found ??= this.#ask()
    return this.#found
  }

  async #ask(): Promise<FoundApplications> {
    const objects = await listApplications(this.#session, { fields })
    for (const object of objects) {
      const key = `${textAt(object, 'metadata', 'namespace')}/${textAt(object, 'metadata', 'name')}`
      this.#drySHAs.set(key, textAt(object, ...drySha))
    }
    return localApplications(objects, this.#repoUrl)
  }

  /** The dry commit that the branch of an Application holds; empty when none is known. */
  drySha(key: string): string {
    return this.#drySHAs.get(key) ?? ''
  }

  /** What the branch of an Application holds; undefined when nothing was hydrated yet. */
  async held({ application: { metadata } }: PlacedApplication): Promise<HeldManifests | undefined> {
    const { name, namespace = '' } = metadata
    const { signal } = this.#session
    const { applications } = await this.#session.connect('applications')
    const { parseManifests } = await import('@wadi/manifests/parse-manifests.ts')
    const { Code, ConnectError } = await import('@connectrpc/connect')
    try {
      const { manifest, files, hiddenSecrets } = await applications.getManifests(
        { name, namespace, plainSecrets: true },
        { signal },
      )
      const limits = { maxBytes: maxManifestBytes }
      const manifests = parseManifests(manifest, { file: `manifest.yaml of ${name}`, limits })
      return { manifests, files, hidesSecrets: hiddenSecrets > 0 }
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.NotFound) return undefined
      throw error
    }
  }
}
