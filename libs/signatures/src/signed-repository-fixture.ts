import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startContainment } from '@wadi/containment/containment-fixture.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { startMirrorFixture } from '@wadi/git/mirror/mirror-fixture.ts'
import type { TestRepository } from '@wadi/testing/git-repository.ts'
import { type GpgHome, makeGpgHome, type TestGpgKey } from '@wadi/testing/signing-keys.ts'
import { problemsText } from './signature-problem.ts'
import { type KeyMaterial, TrustedKeys } from './trusted-keys.ts'
import type { Verifier } from './verifier.ts'
import { verifyRevision } from './verify-revision.ts'

/** The requirements of a project, and the known keys. */
interface Asked {
  mode?: 'head' | 'strict'
  /** Permitted GPG keys; Alice's by default. */
  gpgKeys?: string[]
  sshSigners?: string[]
  /** The name of an annotated tag at the commit. */
  tag?: string
  /** In place of the GPG keys known to the fixture, and no SSH keys. */
  keys?: Partial<KeyMaterial>
}

/** A repository and its mirror, with GPG keys. */
interface SignedRepository extends AsyncDisposable {
  scratch: string
  verifier: Verifier
  repository: TestRepository
  mirror: Mirror
  home: GpgHome
  alice: TestGpgKey
  /** Keys that are known beside Alice's. */
  know: (key: TestGpgKey) => void
  material: (change?: Partial<KeyMaterial>) => Promise<KeyMaterial>
  /** Returns the problems of a commit or tag for a project; empty if it is accepted. */
  verdict: (sha: string, asked?: Asked) => Promise<string>
  /** Writes a commit again with another text, and a branch that leads to it. */
  rewritten: (sha: string, change: (text: string) => string) => Promise<string>
}

/** For tests: makes a repository with one unsigned commit, its mirror and the GPG key of Alice. */
export async function startSignedRepository(): Promise<SignedRepository> {
  await using stack = new AsyncDisposableStack()
  const { repository, mirror, scratch } = stack.use(await startMirrorFixture())
  const contained = stack.use(await startContainment())
  const verifier = { directory: contained.directory, containment: contained.containment }
  const home = stack.use(await makeGpgHome())
  const alice = await home.addKey('Alice <alice@example.com>')
  const known = [alice]
  const material = async (change: Partial<KeyMaterial> = {}): Promise<KeyMaterial> => {
    const gpgKeys: Record<string, string> = {}
    for (const key of known) gpgKeys[key.keyId] = await home.publicKey(key)
    return { gpgKeys, allowedSigners: '', revokedKeys: '', ...change }
  }
  const owned = stack.move()
  return {
    scratch,
    verifier,
    repository,
    mirror,
    home,
    alice,
    know: (key) => void known.push(key),
    material,
    async verdict(
      sha,
      { mode = 'head', gpgKeys = [alice.keyId], sshSigners = [], tag: name, keys: change } = {},
    ) {
      await mirror.fetch(['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'])
      await using keys = new TrustedKeys(verifier, await material(change))
      const object = name === undefined ? '' : (await repository.git.revparse([`refs/tags/${name}`])).trim()
      const tag = name === undefined ? undefined : { name, sha: object }
      const permitted = { gpgKeys, sshSigners }
      const problems = await verifyRevision({ mirror, sha, tag }, { mode, permitted, keys })
      return problems.length === 0 ? '' : problemsText(problems)
    },
    async rewritten(sha, change) {
      const git = promisify(execFile)
      const { stdout } = await git('git', ['-C', repository.directory, 'cat-file', 'commit', sha])
      const writing = git('git', ['-C', repository.directory, 'hash-object', '-t', 'commit', '-w', '--stdin'])
      writing.child.stdin?.end(change(stdout))
      const written = (await writing).stdout.trim()
      await repository.git.raw(['branch', `written-${written}`, written])
      return written
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
