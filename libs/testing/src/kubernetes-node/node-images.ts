import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { machineCache } from '../machine-cache.ts'

const repository = path.resolve(import.meta.dirname, '../../../..')

/** The image of this checkout, as it is called in a node. */
export const wadiImage = 'localhost/wadi:test'

/** The image of the chart's Redis. */
export const redisImage = 'docker.io/library/redis:7-bookworm'

/** The files sent to the builder of the image, as `.dockerignore` lists them. */
const sent = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.npmrc',
  'deploy',
  'clients/web',
  'libs',
  'mesh',
  'services',
]
const left = /(?:\.test|-fixture)\.ts$|\/testdata\/|^libs\/testing\/|^deploy\/(?:helm|kubernetes|ci|crds)\//

let wadiFile: string | undefined

/** The archive with the image of this checkout, as it is on disk; `WADI_TEST_IMAGE_ARCHIVE` names another one. */
export function wadiImageFile(): string {
  const given = process.env['WADI_TEST_IMAGE_ARCHIVE']
  wadiFile ??= given === undefined || given === '' ? machineCache(`image-wadi-${sourceDigest()}.tar`) : given
  return wadiFile
}

/** The archive with the image of Redis. */
export function redisImageFile(): string {
  return machineCache('image-redis.tar')
}

/** Why there are no images for a node; undefined when there are. */
export function imageMissing(): string | undefined {
  const file = [wadiImageFile(), redisImageFile()].find((image) => !existsSync(image))
  return file === undefined
    ? undefined
    : "the image of this checkout is not built; run 'npm run build:cluster'"
}

function sourceDigest(): string {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...sent]
  const names = execFileSync('git', args, { cwd: repository, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const hash = createHash('sha256')
  for (const name of names
    .split('\0')
    .filter((one) => one !== '' && !left.test(one))
    .toSorted()) {
    const file = path.join(repository, name)
    if (existsSync(file)) hash.update(`${name}\0`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}
