import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { archiveDirectory } from '../archive.ts'
import { writeChecksums } from '../checksums.ts'
import { packChart } from '../pack-chart.ts'
import { sha256Digest } from './oci-repository.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')

/** Writes a release with small packages and a small image into a directory. `text` makes other bytes of the same version. */
export async function writeRelease(directory: string, version: string, text = 'released'): Promise<void> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-release-'))
  for (const name of ['wadi', 'wadi-renderers']) {
    const unpacked = path.join(scratch.path, name)
    await mkdir(unpacked)
    await writeFile(path.join(unpacked, 'package.json'), JSON.stringify({ name, version, bin: './wadi' }))
    await writeFile(path.join(unpacked, 'wadi'), `#!/bin/sh\necho ${text} ${version}\n`)
    await archiveDirectory(unpacked, 'package', path.join(directory, `${name}-${version}.tgz`))
  }
  await packChart(root, version, directory)
  const materials = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [] }
  await writeFile(path.join(directory, `wadi-${version}.cdx.json`), JSON.stringify(materials))
  await writeImage(path.join(scratch.path, 'image'), path.join(directory, `wadi-image-${version}.tar`), text)
  await writeChecksums(directory)
}

/** Writes an archive with an OCI layout, of an image for two platforms. */
async function writeImage(scratch: string, archive: string, text: string): Promise<void> {
  const blobs = path.join(scratch, 'blobs/sha256')
  await mkdir(blobs, { recursive: true })
  const store = async (mediaType: string, content: string | object) => {
    const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
    const digest = sha256Digest(bytes)
    await writeFile(path.join(blobs, digest.slice('sha256:'.length)), bytes)
    return { mediaType, digest, size: bytes.length }
  }
  const type = (name: string) => `application/vnd.oci.image.${name}+json`
  const manifests = []
  for (const architecture of ['amd64', 'arm64']) {
    const layer = await store('application/vnd.oci.image.layer.v1.tar', `${text} for ${architecture}`)
    const rootfs = { type: 'layers', diff_ids: [layer.digest] }
    const config = await store(type('config.v1'), { architecture, os: 'linux', rootfs })
    const manifest = { schemaVersion: 2, mediaType: type('manifest.v1'), config, layers: [layer] }
    manifests.push({
      ...(await store(type('manifest.v1'), manifest)),
      platform: { architecture, os: 'linux' },
    })
  }
  const index = await store(type('index.v1'), { schemaVersion: 2, mediaType: type('index.v1'), manifests })
  await writeFile(path.join(scratch, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [index] }))
  await writeFile(path.join(scratch, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  await run('tar', ['-cf', archive, '-C', scratch, 'blobs', 'index.json', 'oci-layout'])
}

/** Returns the layers of an image as clients get them, by the platform; every digest is verified. */
export async function pullImage(address: string, tag: string, headers: Record<string, string>) {
  const get = async (place: string) => {
    const response = await fetch(`${address}/${place}`, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (place.includes('sha256:')) assert.ok(place.endsWith(`/${sha256Digest(bytes)}`), place)
    return bytes.toString()
  }
  const layers: Record<string, string> = {}
  for (const { digest, platform } of JSON.parse(await get(`manifests/${tag}`)).manifests) {
    const { config, layers: own } = JSON.parse(await get(`manifests/${digest}`))
    assert.equal(JSON.parse(await get(`blobs/${config.digest}`)).architecture, platform.architecture)
    layers[platform.architecture] = await get(`blobs/${own[0].digest}`)
  }
  return layers
}
