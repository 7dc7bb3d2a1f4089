import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { makeGpgHome, makeSshKey } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

const openPgpKeys = {
  'gpg-ed25519': { algorithm: 'ed25519' },
  'gpg-subkey': { algorithm: 'ed25519', subkey: true },
  'gpg-p256': { algorithm: 'nistp256' },
  'gpg-rsa': { algorithm: 'rsa3072' },
}
const sshKeys = {
  'ssh-ed25519': { type: 'ed25519' },
  'ssh-p256': { type: 'ecdsa', bits: '256' },
  'ssh-rsa': { type: 'rsa', bits: '3072' },
}

/** A repository whose hydrated branch has two commits, signed with a key of its own. */
export interface SignedRepository {
  name: string
  repository: RepositoryFixture
  branch: string
  /** The address that asks for no password. */
  url: string
  /** The key id of an OpenPGP key, the fingerprint of an SSH key. */
  signer: string
  /** As `wadi gpg export` prints the key. */
  publicKey: string
  /** The options of `wadi gpg export` that choose the key. */
  exportKey(...options: string[]): Promise<string>
}

/** Repositories that a mesh hydrated, by the kind of their keys. */
export interface SignedRepositories extends AsyncDisposable {
  directory: string
  openPgp: SignedRepository[]
  ssh: SignedRepository[]
}

/** Starts a mesh that signs with each kind of key, and hydrates a repository by each; the directory of each has its name. */
export async function hydrateWithEachKey(): Promise<SignedRepositories> {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const home = owned.use(await makeGpgHome())
  const signers: Record<string, string> = {}
  for (const [name, options] of Object.entries(openPgpKeys)) {
    const key = await home.addKey(`${name} <${name}@example.com>`, options)
    await writeFile(join(directory, name), await home.privateKey(key), { mode: 0o600 })
    signers[name] = key.keyId
  }
  for (const [name, options] of Object.entries(sshKeys)) {
    signers[name] = (await makeSshKey(directory, name, options)).fingerprint
  }
  const list = Object.keys(signers).map((name) => ({
    key: join(directory, name),
    repositories: [`*/${name}`, `*/${name}.git`],
  }))
  const environment = { WADI_SIGNING_KEYS: JSON.stringify(list) }
  const { fixture, address, token } = owned.use(await startMeshFixture({ environment }))

  async function hydrate(name: string): Promise<SignedRepository> {
    const repository = await fixture.createRepository(name, {
      'wadi.yaml': 'gates: {secrets: deny}\n',
      [`${name}/a.yaml`]: configMap(name, '1'),
    })
    const branch = `environments/${name}`
    await fixture.applyAndWait(await repository.dry.head(), { name, repoURL: repository.url, branch })
    await fixture.hydrateTo(await repository.push({ [`${name}/a.yaml`]: configMap(name, '2') }), name)
    const exportKey = async (...options: string[]) => {
      const args = ['gpg', 'export', '--repo', repository.url, ...options]
      const server = { WADI_SERVER: address, WADI_AUTH_TOKEN: token }
      return (await runWadi(args, { environment: server })).stdout
    }
    const open = owned.use(await openServer(dirname(repository.directory)))
    const signer = signers[name] ?? ''
    const publicKey = await exportKey()
    return { name, repository, branch, url: `${open.url}/${name}.git`, signer, publicKey, exportKey }
  }
  const hydrateEach = async (keys: object): Promise<SignedRepository[]> => {
    const hydrated = []
    for (const name of Object.keys(keys)) hydrated.push(await hydrate(name))
    return hydrated
  }
  const openPgp = await hydrateEach(openPgpKeys)
  const ssh = await hydrateEach(sshKeys)
  const moved = owned.move()
  return { directory, openPgp, ssh, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

async function openServer(root: string) {
  const server = await startGitHttpServer({ root })
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() }
}

/** Makes a branch `changed` whose commit has the signature of the hydrated branch's head, but the files of `main`. */
export async function forgeCommit({ repository, branch }: SignedRepository): Promise<string> {
  const git = (args: string[], input?: string) => runTestGit(repository.directory, args, input)
  const tree = (await git(['rev-parse', 'main^{tree}'])).trim()
  const signed = await git(['cat-file', 'commit', branch])
  const forged = signed.replace(/^tree .*/, `tree ${tree}`)
  const commit = await git(['hash-object', '-t', 'commit', '-w', '--stdin'], forged)
  await repository.pointBranch('changed', commit.trim())
  return 'changed'
}
