import { Code, ConnectError } from '@connectrpc/connect'
import { textAt } from '@wadi/fields/json-fields.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { hydrationState } from '../../applications/hydration-state.ts'
import { listApplications } from '../../applications/list-applications.ts'
import type { CommandSession } from '../../command-line/command-session.ts'
import type { ServerConnection } from '../../connection/server-connection.ts'
import type { HeldManifests } from './compare-application.ts'
import { type FoundApplications, type LocalApplication, localApplications } from './local-applications.ts'

/** Bytes of a manifest.yaml that a branch holds. */
const maxManifestBytes = 64 * 1024 * 1024

/** The Applications of a server that take their dry source from one repository. */
export class ServedApplications {
  readonly #session: CommandSession
  readonly #connection: ServerConnection<'applications'>
  readonly #repoUrl: string
  readonly #drySHAs = new Map<string, string>()

  constructor(session: CommandSession, connection: ServerConnection<'applications'>, repoUrl: string) {
    this.#session = session
    this.#connection = connection
    this.#repoUrl = repoUrl
  }

  async list(): Promise<FoundApplications> {
    const objects = await listApplications(this.#session, {})
    for (const object of objects) {
      const key = `${textAt(object, 'metadata', 'namespace')}/${textAt(object, 'metadata', 'name')}`
      this.#drySHAs.set(key, hydrationState(object).drySha)
    }
    return localApplications(objects, this.#repoUrl)
  }

  /** The dry commit that the branch of an Application holds; empty when none is known. */
  drySha(key: string): string {
    return this.#drySHAs.get(key) ?? ''
  }

  /** What the branch of an Application holds; undefined when nothing was hydrated yet. */
  async held({ application: { metadata } }: LocalApplication): Promise<HeldManifests | undefined> {
    const { name, namespace = '' } = metadata
    const { signal } = this.#session
    try {
      const { manifest, files, hiddenSecrets } = await this.#connection.applications.getManifests(
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
