import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { buildImage } from './build-image.ts'
import { imageMaterials } from './image-materials.ts'
import { imageContent } from './publish/oci-content.ts'

const root = path.resolve(import.meta.dirname, '../..')
const skip = spawnSync('buildah', ['--version']).status === 0 ? false : 'buildah is missing'

/** A Dockerfile, and packages as the image of Wadi has them. */
const files = {
  'deploy/Dockerfile': 'FROM scratch\nCOPY system /\nCOPY app /\n',
  'system/var/lib/dpkg/status.d/git':
    'Package: git\nStatus: installed\nArchitecture: amd64\nVersion: 1:2.39.5-0+deb12u2\n',
  'app/wadi/node_modules/commander/package.json': '{}',
}

test(
  'an image for two platforms has the same bytes when it is built again, and its packages are named',
  { skip },
  async () => {
    await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-image-'))
    const at = (name: string) => path.join(scratch.path, name)
    const archives = []
    for (const name of ['first', 'second']) {
      for (const [file, text] of Object.entries(files)) {
        await mkdir(path.dirname(at(`${name}/${file}`)), { recursive: true })
        await writeFile(at(`${name}/${file}`), text)
        await utimes(at(`${name}/${file}`), archives.length, archives.length)
      }
      await buildImage(at(name), at(`${name}.tar`))
      archives.push(await readFile(at(`${name}.tar`)))
    }
    assert.deepEqual(archives[0], archives[1])

    await mkdir(at('layout'))
    const { manifest, parts } = await imageContent(at('first.tar'), at('layout'))
    const { manifests } = JSON.parse(manifest.bytes.toString())
    const platforms = manifests.map(
      ({ platform }: { platform: { architecture: string } }) => platform.architecture,
    )
    assert.deepEqual(platforms.toSorted(), ['amd64', 'arm64'])
    assert.equal(JSON.parse(parts[0]?.bytes.toString() ?? '').layers.length, 2)

    const materials = JSON.stringify(await imageMaterials(root, '0.2.0', at('layout')))
    const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')).packages
    for (const purl of [
      'pkg:deb/debian/git@1%3A2.39.5-0%2Bdeb12u2?arch=amd64',
      `pkg:npm/commander@${lock['node_modules/commander'].version}`,
      'pkg:golang/helm.sh/helm/v4@v4.1.4',
    ]) {
      assert.ok(materials.includes(`"purl":"${purl}"`), purl)
    }
  },
)
