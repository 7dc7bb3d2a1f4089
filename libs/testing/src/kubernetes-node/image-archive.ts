import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Writes an archive, as `docker save` does, of an image that has and runs one static program. */
export async function writeImageArchive(archive: string, name: string, program: string): Promise<void> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-image-'))
  const root = path.join(scratch.path, 'root')
  await mkdir(root)
  await copyFile(program, path.join(root, 'program'))
  await archiveRoot(archive, name, root, ['/program'])
}

/** Writes an archive, as `docker save` does, of an image with the files of a directory. */
export async function archiveRoot(
  archive: string,
  name: string,
  root: string,
  entrypoint: readonly string[] = [],
): Promise<void> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-image-'))
  const layer = path.join(scratch.path, 'layer.tar')
  await run('tar', ['--create', '--file', layer, '--owner=0', '--group=0', '--directory', root, '.'])
  const digest = createHash('sha256')
    .update(await readFile(layer))
    .digest('hex')
  const config = {
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: { Entrypoint: entrypoint, Env: ['PATH=/usr/bin:/usr/sbin'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  }
  await writeFile(path.join(scratch.path, 'config.json'), JSON.stringify(config))
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }]
  await writeFile(path.join(scratch.path, 'manifest.json'), JSON.stringify(manifest))
  const files = ['manifest.json', 'config.json', 'layer.tar']
  await run('tar', ['--create', '--file', archive, '--directory', scratch.path, ...files])
}
