import { createHash } from 'node:crypto'
import type { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import { openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import type { FileChange } from '@wadi/git/commit/build-commit.ts'
import { attestationPath, newestAttestedPath } from '@wadi/signatures/attestations/attestation-places.ts'
import { directoryDigests } from '@wadi/signatures/attestations/directory-digests.ts'
import { signedEnvelope } from '@wadi/signatures/attestations/envelope.ts'
import { type HydrationStatement, readStatement } from '@wadi/signatures/attestations/statement.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { CommitRequest } from '../commit/commit-request.ts'
import type { WrittenRepository } from '../push/repository-writer.ts'
import { testResultStatement } from './gate-results.ts'
import { type AttestedDirectory, type HydrationRun, provenanceStatement } from './provenance.ts'

const maxFileBytes = 256 * 1024 * 1024

/** A hydrated commit and the directories that a run rendered of it. */
export interface RenderedCommit {
  sha: string
  directories: CommitRequest['directories']
}

/** Files beside the notes, and their signed statements about gates, the newest last; none if no gate ran. */
export interface Attested {
  files: FileChange[]
  results: readonly HydrationStatement[]
}

/** Attests a commit with these directories, and what gates found in them. */
export async function attestCommit(
  repository: WrittenRepository,
  run: HydrationRun,
  commit: RenderedCommit,
  signer: CommitSigner,
  signal: AbortSignal,
): Promise<Attested> {
  const { sha } = commit
  const attested = await attestedDirectories(repository, commit)
  const tree = await openCommitTree(repository.mirror.objects, repository.trees, sha)
  const { id = '' } = (await tree.entry('')) ?? {}
  const results = testResultStatement(run.branch, { sha, directories: attested })
  const provenance = provenanceStatement(run, { sha, tree: id, directories: attested })
  const statements = results ? [provenance, results] : [provenance]
  const lines = await Promise.all(statements.map((statement) => signedEnvelope(statement, signer, signal)))
  const files = [
    { path: attestationPath(sha), content: lines.map((line) => `${line}\n`).join('') },
    { path: newestAttestedPath(run.branch), content: `${sha}\n` },
  ]
  const read = results && readStatement(Buffer.from(JSON.stringify(results)))
  return { files, results: read ? [read] : [] }
}

/** Returns the directories of a commit with what is attested of them; those that it has not are left out. */
export async function attestedDirectories(
  repository: WrittenRepository,
  { sha, directories }: RenderedCommit,
): Promise<AttestedDirectory[]> {
  const { mirror, trees } = repository
  const tree = await openCommitTree(mirror.objects, trees, sha)
  const digestOf = async (id: string): Promise<string> => {
    const { bytes } = await mirror.objects.read(id, maxFileBytes)
    return createHash('sha256').update(bytes).digest('hex')
  }
  const attested: AttestedDirectory[] = []
  // They come as they are rendered, and the same work makes the same statement.
  for (const { path, metadata, gateRuns } of directories.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const digests = await directoryDigests(tree, path, digestOf)
    if (!digests || !metadata) continue
    const record: unknown = JSON.parse(await textOf(repository, metadata.content))
    attested.push({ path, digests: { ...digests }, record, gateRuns })
  }
  return attested
}

/** Returns the attestations of a hydrated commit in a commit of notes, one envelope a line; empty without any. */
export async function attestationsOf(
  { mirror, trees }: WrittenRepository,
  notes: string | undefined,
  sha: string,
): Promise<string> {
  if (notes === undefined) return ''
  const tree = await openCommitTree(mirror.objects, trees, notes)
  const entry = await tree.entry(attestationPath(sha))
  return entry?.kind === 'file' ? (await tree.read(entry, maxFileBytes)).toString() : ''
}

async function textOf({ mirror }: WrittenRepository, content: CommitContent): Promise<string> {
  if (!content.isStored) return content.toString()
  return (await mirror.objects.read(content.id, maxFileBytes)).bytes.toString()
}
