import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSshKey } from '@wadi/testing/signing-keys.ts'
import { type HydrationFixture, makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { verifyInClone } from './attestation-fixture.ts'

/** A mesh that signs and attests with an SSH key. */
export interface AttestingMesh extends AsyncDisposable {
  readonly fixture: HydrationFixture
  /** A directory of the test. */
  readonly directory: string
  readonly publicKey: string
  /** Runs `wadi verify` with the key in a new clone of a repository. */
  readonly verify: (repository: RepositoryFixture, ...args: string[]) => ReturnType<typeof verifyInClone>
}

/** Starts a mesh that signs and attests with a new SSH key. */
export async function startAttestingMesh(): Promise<AttestingMesh> {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const { publicKey } = await makeSshKey(directory, 'key')
  const keys = join(directory, 'keys')
  await writeFile(keys, `wadi ${publicKey}\n`)
  const environment = { WADI_SIGNING_KEY_PATH: join(directory, 'key') }
  const { fixture } = owned.use(await startMeshFixture({ environment }))
  const moved = owned.move()
  return {
    fixture,
    directory,
    publicKey,
    verify: (repository, ...args) => verifyInClone(repository, directory, [...args, '--key', keys]),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
