import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { SourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import type { CreateRepositoryRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { ServedRepositoryOptions } from '@wadi/testing/git-http-server.ts'
import { givePasswords } from '@wadi/testing/known-passwords.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import {
  type ApplicationFixture,
  applicationObject,
  configMap,
  projectObject,
} from './application-fixture.ts'
import {
  type ApplicationState,
  connectGateway,
  type GatewayClient,
  isHydratedAt,
  isSettled,
  waitForApplication,
} from './gateway-fixture.ts'
import { RepositoryFixture } from './repository-fixture.ts'

/** The part of a git server that a test needs of it. */
interface RepositoryServer {
  createRepository(
    name: string,
    options?: ServedRepositoryOptions,
  ): Promise<{ url: string; directory: string }>
}

/** A running mesh, however it is deployed, with a git server beside it: what every test works with. */
export class HydrationFixture implements Disposable {
  readonly gateway: GatewayClient
  /** Directory of the test. */
  readonly directory: string
  readonly #git: RepositoryServer

  constructor(parts: { address: string; token: string; directory: string; git: RepositoryServer }) {
    this.directory = parts.directory
    this.#git = parts.git
    this.gateway = connectGateway(parts.address, parts.token)
  }

  /** Makes a served repository with a first dry commit, if any files are given. */
  async createRepository(
    name: string,
    files: Record<string, string> = {},
    options: ServedRepositoryOptions = {},
  ): Promise<RepositoryFixture> {
    const served = await this.#git.createRepository(`${name}.git`, options)
    const repository = await RepositoryFixture.open(served, join(this.directory, 'copies', name))
    if (Object.keys(files).length > 0) await repository.push(files, 'First configuration')
    return repository
  }

  /** Stores the same credentials to read and to write. */
  async addCredentials(credentials: MessageInitShape<typeof CreateRepositoryRequestSchema>): Promise<void> {
    for (const write of [false, true]) {
      await this.gateway.repositories.createRepository({ ...credentials, write, skipValidation: true })
    }
  }

  /** Stores an Application, new or changed. */
  async apply(application: ApplicationFixture): Promise<void> {
    await this.gateway.resources.applyResource({ resource: applicationObject(application) })
  }

  /** Stores an AppProject that permits everything that `spec` does not say otherwise. */
  async applyProject(name: string, spec?: JsonObject, annotations?: Record<string, string>): Promise<void> {
    await this.gateway.resources.applyResource({ resource: projectObject(name, spec, annotations) })
  }

  /** Stores Applications and waits until each is hydrated at a dry commit. */
  async applyAndWait(drySha: string, ...applications: ApplicationFixture[]): Promise<void> {
    for (const application of applications) await this.apply(application)
    for (const { name } of applications) await this.waitFor(name, isHydratedAt(drySha))
  }

  /** Makes a repository with one directory and an Application of it, all of one name, and waits until it is hydrated. */
  async hydratedOnce(
    name: string,
    options: ServedRepositoryOptions = {},
  ): Promise<{ repository: RepositoryFixture; branch: string }> {
    const files = { [`${name}/a.yaml`]: configMap(name, '1') }
    const repository = await this.createRepository(name, files, options)
    const branch = `environments/${name}`
    await this.applyAndWait(await repository.dry.head(), { name, repoURL: repository.url, branch })
    return { repository, branch }
  }

  /** Stores an Application and waits for the message of its failure. */
  async applyAndFail(application: ApplicationFixture): Promise<string> {
    await this.apply(application)
    return this.waitForFailure(application.name)
  }

  /** Sets the operator's settings. */
  async applyOperatorSettings(data: Record<string, string>): Promise<void> {
    const resource: JsonObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm' },
      data,
    }
    await this.gateway.resources.applyResource({ resource })
  }

  /** Asks for a hydration and waits for its end, good or bad. */
  async hydrate(name: string, options: { hard?: boolean } = {}): Promise<SourceHydratorStatus> {
    await this.gateway.applications.hydrateApplication({ name, hard: options.hard ?? false })
    return this.waitFor(name, isSettled)
  }

  /** Asks for a hydration and waits until it is at this dry commit. */
  async hydrateTo(drySha: string, name: string): Promise<SourceHydratorStatus> {
    await this.gateway.applications.hydrateApplication({ name })
    return this.waitFor(name, isHydratedAt(drySha))
  }

  /** Has the hydrator look at every repository now, as after each change of credentials. */
  async poll(): Promise<void> {
    const repoUrl = 'https://elsewhere.example.com/x.git'
    await this.gateway.repositories.createRepository({ repoUrl, skipValidation: true, upsert: true })
  }

  async waitFor(name: string, isWanted: (state: ApplicationState) => boolean): Promise<SourceHydratorStatus> {
    return waitForApplication(this.gateway, name, isWanted)
  }

  /** Waits until the newest run of an Application failed and returns its message. */
  async waitForFailure(name: string): Promise<string> {
    const status = await this.waitFor(name, (state) => {
      return isSettled(state) && state.status.currentOperation?.phase === 'Failed'
    })
    return status.currentOperation?.message ?? ''
  }

  [Symbol.dispose](): void {
    this.gateway[Symbol.dispose]()
  }
}

/** A directory that goes when the stack is disposed. */
export async function makeTestDirectory(owned: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wadi-integration-'))
  owned.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  return directory
}

/** A data directory whose repo-servers find the renderers that an earlier test unpacked, with a password of the administrator. */
export async function makeDataDirectory(directory: string): Promise<string> {
  const data = join(directory, 'data')
  await shareToolCache(data)
  await givePasswords(data)
  return data
}
