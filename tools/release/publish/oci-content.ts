import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { z } from 'zod'
import { type OciManifest, type OciRepository, sha256Digest } from './oci-repository.ts'

const run = promisify(execFile)

/** The media type of a manifest of one image or artifact. */
export const manifestType = 'application/vnd.oci.image.manifest.v1+json'

/** The content of a tag: its manifest, and what must be in the registry before. */
export interface OciContent {
  readonly manifest: OciManifest
  /** The manifests that an index names. */
  readonly parts: readonly OciManifest[]
  readonly blobs: ReadonlyMap<string, Blob>
}

/** Returns how a manifest names bytes. */
export function descriptorOf(mediaType: string, bytes: Uint8Array): object {
  return { mediaType, digest: sha256Digest(bytes), size: bytes.length }
}

/** Uploads content without a tag: nobody finds it who does not know its digest. */
export async function uploadContent(repository: OciRepository, content: OciContent): Promise<void> {
  for (const [digest, blob] of content.blobs) await repository.putBlob(digest, blob)
  for (const manifest of [...content.parts, content.manifest]) await repository.putManifest(manifest)
}

/** Returns a packed chart as Helm keeps it in registries, but without a time, so that a second build has the same digest. */
export async function chartContent(file: string): Promise<OciContent> {
  const archive = await readFile(file)
  const { stdout } = await run('tar', ['-xzOf', file, 'wadi/Chart.yaml'])
  const chart = readYaml(stdout, 'Chart.yaml').documents[0]?.value
  const { version, description } = z.object({ version: z.string(), description: z.string() }).parse(chart)
  const config = Buffer.from(JSON.stringify(chart))
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptorOf('application/vnd.cncf.helm.config.v1+json', config),
    layers: [descriptorOf('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive)],
    annotations: {
      'org.opencontainers.image.title': 'wadi',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.description': description,
    },
  }
  return {
    manifest: { mediaType: manifestType, bytes: Buffer.from(JSON.stringify(manifest)) },
    parts: [],
    blobs: new Map([config, archive].map((bytes) => [sha256Digest(bytes), new Blob([bytes])])),
  }
}

const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const descriptorSchema = z.object({ mediaType: z.string(), digest: digestSchema })
const indexSchema = z.object({ manifests: z.array(descriptorSchema) })
const imageSchema = z.object({ config: descriptorSchema, layers: z.array(descriptorSchema) })

/**
 * Returns the image of an archive with an OCI layout.
 * @param scratch an empty directory, in which its blobs stay until they are uploaded
 */
export async function imageContent(archive: string, scratch: string): Promise<OciContent> {
  await run('tar', ['-xf', archive, '-C', scratch])
  const fileOf = (digest: string) => path.join(scratch, 'blobs', digest.replace(':', '/'))
  const { manifests } = indexSchema.parse(
    JSON.parse(await readFile(path.join(scratch, 'index.json'), 'utf8')),
  )
  const [first] = manifests
  if (first === undefined || manifests.length > 1) {
    throw new Error(`${path.basename(archive)} has ${manifests.length} images; expected one`)
  }
  const blobs = new Map<string, Blob>()
  const found: OciManifest[] = []
  const read = async ({ mediaType, digest }: z.infer<typeof descriptorSchema>): Promise<void> => {
    const bytes = await readFile(fileOf(digest))
    const manifest: unknown = JSON.parse(bytes.toString())
    const index = indexSchema.safeParse(manifest)
    if (index.success) {
      for (const part of index.data.manifests) await read(part)
    } else {
      const { config, layers } = imageSchema.parse(manifest)
      for (const blob of [config, ...layers]) {
        blobs.set(blob.digest, await openAsBlob(fileOf(blob.digest)))
      }
    }
    found.push({ mediaType, bytes })
  }
  await read(first)
  const manifest = found.pop()
  if (manifest === undefined) throw new Error('an image has a manifest')
  return { manifest, parts: found, blobs }
}
