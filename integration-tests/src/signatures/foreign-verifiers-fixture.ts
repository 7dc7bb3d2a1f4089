import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { goProgramFile } from '@wadi/testing/go-program.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'
import { verifierPrograms } from '@wadi/testing/signature-verifiers/verifier-programs.ts'
import type { SignedRepository } from './verified-repositories-fixture.ts'

const run = promisify(execFile)
const timeout = hangLimitMs

/**
 * Verifies the head of a branch as Flux does for `spec.verify` of a GitRepository.
 * @param keys the public keys as its Secret has them
 * @returns the key id or fingerprint of the signer
 */
export async function verifyWithFlux(
  { url, repository }: SignedRepository,
  branch: string,
  keys: string,
): Promise<string> {
  const directory = await mkdtemp(join(repository.dry.directory, '..', 'flux-'))
  await writeFile(join(directory, 'keys'), keys)
  const args = [url, branch, join(directory, 'clone'), join(directory, 'keys')]
  return (await run(goProgramFile(verifierPrograms.flux), args, { timeout })).stdout.trim()
}

/**
 * Verifies the head of a branch as Argo CD does before it uses its files.
 * @param spec that of the AppProject
 * @param keys the public keys of `argocd-gpg-keys-cm` by key id
 * @returns the checks that passed
 */
export async function verifyWithArgoCd(
  { url }: SignedRepository,
  branch: string,
  spec: object,
  keys: Readonly<Record<string, string>>,
): Promise<string> {
  // gpg has a socket beside its keys, whose path may not be long.
  await using directory = await mkdtempDisposable(join(tmpdir(), 'argo-'))
  const [work, mounted] = [join(directory.path, 'work'), join(directory.path, 'keys')]
  await mkdir(work)
  await mkdir(mounted)
  for (const [keyId, key] of Object.entries(keys)) await writeFile(join(mounted, keyId), key)
  const running = run(goProgramFile(verifierPrograms.argoCd), [url, branch, work, mounted], { timeout })
  running.child.stdin?.end(JSON.stringify({ metadata: { name: 'web' }, spec }))
  try {
    return (await running).stdout.trim()
  } finally {
    await run('gpgconf', ['--homedir', join(work, 'gnupg'), '--kill', 'all'])
  }
}

/** Verifies an attestation with cosign by options of `verify-blob-attestation`, without anything that is public. */
export async function verifyWithCosign(...options: string[]): Promise<string> {
  const args = ['verify-blob-attestation', '--insecure-ignore-tlog', ...options]
  return (await run(goProgramFile(verifierPrograms.cosign), args, { timeout })).stderr.trim()
}
