import type { JsonObject } from '@bufbuild/protobuf'
import type { PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import { listApplications } from '../../applications/list-applications.ts'
import type { CommandSession } from '../../command-line/command-session.ts'
import { ServerVersions } from '../../tools/server-versions.ts'
import type { HeldManifests } from './compare-application.ts'
import { type FoundApplications, localApplications } from './local-applications.ts'

/** Bytes of a manifest.yaml that a branch holds. */
const maxManifestBytes = 64 * 1024 * 1024

const status = ['status', 'sourceHydrator'] as const
/** The paths in a status of the dry commit that the branch has, the warnings of its render, and the end of the newest run. */
const drySha = [...status, 'lastSuccessfulOperation', 'drySHA'] as const
const warnings = [...status, 'warnings'] as const
const phase = [...status, 'currentOperation', 'phase'] as const
const message = [...status, 'currentOperation', 'message'] as const

/** The fields of Applications that a comparison needs. */
const fields = [
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  ...[drySha, warnings, phase, message].map((path) => path.join('.')),
]

/** The Applications of a server that take their dry source from one repository. */
export class ServedApplications {
  readonly #session: CommandSession
  readonly #repoUrl: string
  readonly #objects = new Map<string, JsonObject>()
  /** The versions that its branches keep. */
  readonly versions: ServerVersions
  #found: Promise<FoundApplications> | undefined

  constructor(session: CommandSession, repoUrl: string) {
    this.#session = session
    this.#repoUrl = repoUrl
    this.versions = new ServerVersions(session)
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
      this.#objects.set(key, object)
    }
    return localApplications(objects, this.#repoUrl)
  }

  /** The dry commit that the branch of an Application holds; empty when none is known. */
  drySha(key: string): string {
    return textAt(this.#objects.get(key), ...drySha)
  }

  /** Returns the error of the newest run of an Application's group; empty if it did not fail. */
  failure(key: string): string {
    const object = this.#objects.get(key)
    return textAt(object, ...phase) === 'Failed' ? textAt(object, ...message) : ''
  }

  /** Returns the manifests on the branch of an Application; undefined if nothing was hydrated yet. */
  async held({ application: { metadata } }: PlacedApplication): Promise<HeldManifests | undefined> {
    const { name, namespace = '' } = metadata
    const { signal } = this.#session
    const { applications } = await this.#session.connect('applications')
    const { parseManifests } = await import('@wadi/manifests/parse-manifests.ts')
    const { readHydratorMetadata } = await import('@wadi/hydration/hydrator-metadata.ts')
    const { Code, ConnectError } = await import('@connectrpc/connect')
    try {
      const {
        manifest,
        files,
        hiddenSecrets,
        metadata: recorded,
      } = await applications.getManifests({ name, namespace, plainSecrets: true }, { signal })
      const limits = { maxBytes: maxManifestBytes }
      const manifests = parseManifests(manifest, { file: `manifest.yaml of ${name}`, limits })
      const known = listAt(this.#objects.get(`${namespace}/${name}`), ...warnings)
      const { layout } = readHydratorMetadata(recorded)
      return { manifests, files, layout, hidesSecrets: hiddenSecrets > 0, warnings: known.map(String) }
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.NotFound) return undefined
      throw error
    }
  }
}
