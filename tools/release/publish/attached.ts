import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readEnvelopes } from '@wadi/signatures/attestations/envelope.ts'
import { z } from 'zod'
import { attestationFile } from '../attestation-file.ts'
import { type OciContent, descriptorOf, manifestType, uploadContent } from './oci-content.ts'
import { type OciManifest, type OciRepository, sha256Digest } from './oci-repository.ts'

const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const indexType = 'application/vnd.oci.image.index.v1+json'
const nothing = Buffer.from('{}')

const statementSchema = z.object({
  predicateType: z.string(),
  subject: z.array(z.object({ digest: z.record(z.string(), z.string()) })),
})
const referrersSchema = z.looseObject({ manifests: z.array(z.looseObject({ digest: z.string() })) })

/** Returns the signed statements about a release, one a line; none if it is not signed. */
export async function readAttestations(directory: string): Promise<string[]> {
  const text = await readFile(path.join(directory, attestationFile), 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

/** Returns of signed statements those about a manifest, in the form in which cosign finds them beside it. */
export function attestationsOf(subject: OciManifest, lines: readonly string[]): OciContent[] {
  const digest = sha256Digest(subject.bytes)
  return lines.flatMap((line) => {
    const [envelope] = readEnvelopes(line)
    const statement = statementSchema.parse(JSON.parse(envelope?.payload.toString() ?? ''))
    if (!statement.subject.some(({ digest: { sha256 } }) => `sha256:${sha256}` === digest)) return []
    return [attestation(subject, line, statement.predicateType)]
  })
}

function attestation(subject: OciManifest, envelope: string, predicateType: string): OciContent {
  const bundle = Buffer.from(
    JSON.stringify({
      mediaType: bundleType,
      verificationMaterial: { publicKey: { hint: '' }, tlogEntries: [] },
      dsseEnvelope: JSON.parse(envelope),
    }),
  )
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType: bundleType,
    config: descriptorOf('application/vnd.oci.empty.v1+json', nothing),
    layers: [descriptorOf(bundleType, bundle)],
    subject: descriptorOf(subject.mediaType, subject.bytes),
    annotations: {
      'dev.sigstore.bundle.content': 'dsse-envelope',
      'dev.sigstore.bundle.predicateType': predicateType,
    },
  }
  return {
    manifest: { mediaType: manifestType, bytes: Buffer.from(JSON.stringify(manifest)) },
    parts: [],
    blobs: new Map([nothing, bundle].map((bytes) => [sha256Digest(bytes), new Blob([bytes])])),
  }
}

/** Uploads an attestation, and lists it beside its subject in registries that do not do so themselves. */
export async function attach(
  repository: OciRepository,
  subject: OciManifest,
  attested: OciContent,
): Promise<void> {
  await uploadContent(repository, attested)
  const { listed, listedByTag } = await referrers(repository, subject)
  const digest = sha256Digest(attested.manifest.bytes)
  if (!listedByTag || listed.some((each) => each.digest === digest)) return
  const { artifactType, annotations } = JSON.parse(attested.manifest.bytes.toString())
  const own = { ...descriptorOf(manifestType, attested.manifest.bytes), artifactType, annotations }
  const index = { schemaVersion: 2, mediaType: indexType, manifests: [...listed, own] }
  const bytes = Buffer.from(JSON.stringify(index))
  await repository.putManifest({ mediaType: indexType, bytes }, referrersTag(subject))
}

/** Returns true if a registry lists an attestation beside its subject. */
export async function isAttached(
  repository: OciRepository,
  subject: OciManifest,
  { manifest }: OciContent,
): Promise<boolean> {
  const digest = sha256Digest(manifest.bytes)
  return (await referrers(repository, subject)).listed.some((each) => each.digest === digest)
}

/** The manifests that refer to a subject: as the registry says, or in a tag that its users keep. */
async function referrers(repository: OciRepository, subject: OciManifest) {
  const said = await repository.referrers(sha256Digest(subject.bytes))
  const text = said ?? (await repository.manifest(referrersTag(subject)))
  const { manifests } = referrersSchema.parse(
    text === undefined ? { manifests: [] } : JSON.parse(text.toString()),
  )
  return { listed: manifests, listedByTag: said === undefined }
}

function referrersTag({ bytes }: OciManifest): string {
  return sha256Digest(bytes).replace(':', '-')
}
