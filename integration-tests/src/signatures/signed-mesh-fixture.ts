import type { JsonObject } from '@bufbuild/protobuf'
import {
  type GpgHome,
  makeGpgHome,
  signedGit,
  type Signing,
  type TestGpgKey,
} from '@wadi/testing/signing-keys.ts'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

/** A mesh with GPG keys and a project `secure` that asks for signatures. */
export interface SignedMesh extends MeshFixture {
  home: GpgHome
  alice: TestGpgKey
  byAlice: Signing
  /** Stores the spec of the project `secure`, beside what permits everything. */
  applyProject(spec: JsonObject): Promise<void>
  /** Stores the known keys. */
  applyKeys(...keys: TestGpgKey[]): Promise<void>
}

/** Starts a mesh that knows Alice's key; the project `secure` accepts her signatures alone, by its signature keys. */
export async function startSignedMesh(environment: Record<string, string> = {}): Promise<SignedMesh> {
  await using owned = new AsyncDisposableStack()
  const home = owned.use(await makeGpgHome())
  const mesh = owned.use(await startMeshFixture({ environment }))
  const alice = await home.addKey('Alice <alice@example.com>')
  const { resources } = mesh.fixture.gateway
  const applyProject = (spec: JsonObject) => mesh.fixture.applyProject('secure', spec)
  const applyKeys = async (...keys: TestGpgKey[]): Promise<void> => {
    const data: Record<string, string> = {}
    for (const key of keys) data[key.keyId] = await home.publicKey(key)
    const metadata = { name: 'argocd-gpg-keys-cm' }
    await resources.applyResource({ resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } })
  }
  await applyKeys(alice)
  await applyProject({ signatureKeys: [{ keyID: alice.keyId }] })
  const byAlice = await home.signing(alice)
  const moved = owned.move()
  return {
    ...mesh,
    home,
    alice,
    byAlice,
    applyProject,
    applyKeys,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Commits a file with a signature, pushes it to `main` and returns the commit. */
export async function pushSigned(
  { dry, directory }: RepositoryFixture,
  signing: Signing,
  files: Record<string, string>,
): Promise<string> {
  await dry.commitFiles(files, 'Signed change\n')
  await signedGit(dry, signing, ['commit', '--quiet', '--amend', '--no-edit', '-S'])
  await dry.git.push([directory, 'HEAD:main'])
  return dry.head()
}
