import { createHash } from 'node:crypto'
import type { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import { openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import type { FileChange } from '@wadi/git/commit/build-commit.ts'
import { attestationPath, newestAttestedPath } from '@wadi/signatures/attestations/attestation-places.ts'
import { directoryDigests } from '@wadi/signatures/attestations/directory-digests.ts'
import { signedEnvelope } from '@wadi/signatures/attestations/envelope.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { CommitRequest } from '../commit/commit-request.ts'
import type { WrittenRepository } from '../push/repository-writer.ts'
import { type AttestedDirectory, type HydrationRun, provenanceStatement } from './provenance.ts'

const maxFileBytes = 256 * 1024 * 1024

/** Returns the files beside the notes that attest a commit with these directories. */
export async function attestCommit(
  repository: WrittenRepository,
  run: HydrationRun,
  { sha, directories }: { sha: string; directories: CommitRequest['directories'] },
  signer: CommitSigner,
  signal: AbortSignal,
): Promise<FileChange[]> {
  const { mirror, trees } = repository
  const tree = await openCommitTree(mirror.objects, trees, sha)
  const digestOf = async (id: string): Promise<string> => {
    const { bytes } = await mirror.objects.read(id, maxFileBytes)
    return createHash('sha256').update(bytes).digest('hex')
  }
  const attested: AttestedDirectory[] = []
  for (const { path, metadata } of directories) {
    const digests = await directoryDigests(tree, path, digestOf)
    if (!digests || !metadata) continue
    const record: unknown = JSON.parse(await textOf(repository, metadata.content))
    attested.push({ path, digests: { ...digests }, record })
  }
  const { id = '' } = (await tree.entry('')) ?? {}
  const statement = provenanceStatement(run, { sha, tree: id, directories: attested })
  const envelope = await signedEnvelope(statement, signer, signal)
  return [
    { path: attestationPath(sha), content: `${envelope}\n` },
    { path: newestAttestedPath(run.branch), content: `${sha}\n` },
  ]
}

/** Returns true if a commit of notes has an attestation of a hydrated commit. */
export async function isAttested(
  { mirror, trees }: WrittenRepository,
  notes: string | undefined,
  sha: string,
): Promise<boolean> {
  if (notes === undefined) return false
  const tree = await openCommitTree(mirror.objects, trees, notes)
  return (await tree.entry(attestationPath(sha))) !== undefined
}

async function textOf({ mirror }: WrittenRepository, content: CommitContent): Promise<string> {
  if (!content.isStored) return content.toString()
  return (await mirror.objects.read(content.id, maxFileBytes)).bytes.toString()
}
