import type { JsonObject } from '@bufbuild/protobuf'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { projectObject } from '../application-fixture.ts'
import { connectGateway, type GatewayClient, type Protocol } from '../gateway-fixture.ts'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'

/** The address of the cluster that is there without being stored. */
export const inCluster = 'https://kubernetes.default.svc'

type UserlessMesh = Pick<MeshFixture, 'address' | 'fixture' | 'git'>

/**
 * A mesh whose users have passwords: `ann` has all rights in the project web and reads repositories whose names begin
 * with `web-`, `bob` has the same with api.
 */
export interface UsersMesh extends UserlessMesh, AsyncDisposable {
  /** The API as the operator. */
  admin: GatewayClient
  /** Signs a user in and returns the token. */
  signIn(name: string, password?: string): Promise<string>
  /** Signs a user in and returns the API. */
  connectAs(name: string): Promise<GatewayClient>
  /** The API with a token, until the mesh is disposed. */
  connect(token: string, protocol?: Protocol): GatewayClient
  /** Stores another policy, of which `lines` come after the rules of ann and bob. */
  applyPolicy(...lines: string[]): Promise<void>
  /** Stores what argocd-cm says beside the accounts of ann and bob. */
  applySettings(data: Record<string, string>): Promise<void>
}

/** The password of a user, which `givePasswords` gave to ann and bob. */
export const passwordOf = (name: string): string => `password of ${name}`

const accounts = { 'accounts.ann': 'apiKey, login', 'accounts.bob': 'apiKey, login' }

/** Starts a mesh with two projects and a user of each. */
export async function startUsersMesh(): Promise<UsersMesh> {
  await using owned = new AsyncDisposableStack()
  const mesh = owned.use(await startMeshFixture())
  const users = owned.use(await addUsers(mesh))
  const moved = owned.move()
  return { ...users, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** Starts the mesh with users of a test file, which ends after the tests of the file. */
export function usersMeshOfFile(): Promise<UsersMesh> {
  return usedByFile(startUsersMesh())
}

/** Stores two projects and a user of each in a running mesh of `makeDataDirectory`, which has to be stopped after their connections. */
export async function addUsers(mesh: UserlessMesh): Promise<UsersMesh> {
  const admin = mesh.fixture.gateway
  const apply = (resource: JsonObject) => admin.resources.applyResource({ resource })
  const applyConfigMap = async (name: string, data: JsonObject) => {
    await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
  }
  const { url } = mesh.git.server
  const applyPolicy = async (...lines: string[]) => {
    const rules = [rulesOf('ann', 'web', url), rulesOf('bob', 'api', url), lines].flat()
    await applyConfigMap('argocd-rbac-cm', { 'policy.csv': `${rules.join('\n')}\n` })
  }
  const applySettings = (data: Record<string, string>) => {
    return applyConfigMap('argocd-cm', { ...accounts, ...data })
  }
  await applySettings({})
  await applyPolicy()
  for (const name of ['web', 'api']) await apply(projectObject(name))
  const connections = new DisposableStack()
  const connect = (token: string, protocol?: Protocol) => {
    return connections.use(connectGateway(mesh.address, token, protocol))
  }
  const nobody = connect('')
  const signIn = async (username: string, password = passwordOf(username)) =>
    (await nobody.sessions.create({ username, password })).token
  const { address, fixture, git } = mesh
  return {
    address,
    fixture,
    git,
    admin,
    connect,
    applyPolicy,
    applySettings,
    signIn,
    connectAs: async (name) => connect(await signIn(name)),
    [Symbol.asyncDispose]: async () => connections.dispose(),
  }
}

function rulesOf(user: string, project: string, server: string): string[] {
  return [
    `p, role:${project}, applications, *, ${project}/*, allow`,
    `p, role:${project}, projects, get, ${project}, allow`,
    `p, role:${project}, repositories, get, ${project}/*, allow`,
    `p, role:${project}, repositories, get, ${server}/${project}-*, allow`,
    `p, role:${project}, clusters, get, ${project}/*, allow`,
    `p, role:${project}, clusters, get, ${inCluster}, allow`,
    `g, ${user}, role:${project}`,
  ]
}
