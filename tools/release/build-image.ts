import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { archiveDirectory, fileTime } from './archive.ts'

const run = promisify(execFile)

/** Why the image cannot be built here for both platforms; undefined when it can. */
export function imageBuilderMissing(): string | undefined {
  if (spawnSync('buildah', ['--version']).status !== 0) return 'buildah is missing'
  const other = process.arch === 'x64' ? 'aarch64' : 'x86_64'
  if (existsSync(`/proc/sys/fs/binfmt_misc/qemu-${other}`)) return undefined
  return `programs for ${other} do not run; install qemu-user-static`
}

/**
 * Builds the image of a checkout for both platforms into an archive with an OCI layout. `NODE_IMAGE` in the environment names another image of
 * Node.js to build on.
 */
export async function buildImage(root: string, file: string): Promise<void> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'wadi-image-'))
  // Nothing of an earlier build is used.
  const storage = ['--root', path.join(scratch, 'storage'), '--runroot', path.join(scratch, 'run')]
  const buildah = async (...args: string[]) => {
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
    await run('buildah', [...storage, ...args], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })
  }
  const same = ['--layers', '--no-cache', '--timestamp', String(fileTime), '--build-arg', 'NODE_IMAGE']
  const layout = path.join(scratch, 'layout')
  try {
    // One after the other, as the manifest lists them in the order in which they end.
    for (const platform of ['linux/amd64', 'linux/arm64']) {
      const target = ['--manifest', 'wadi', '--platform', platform]
      await buildah('build', ...same, ...target, '--file', 'deploy/Dockerfile', '.')
    }
    await buildah('manifest', 'push', '--all', '--format', 'oci', 'wadi', `oci:${layout}`)
    await archiveDirectory(layout, '.', file)
  } finally {
    // Without root, files of the image belong to other users than the one who builds it.
    if (process.getuid?.() === 0) await rm(scratch, { recursive: true, force: true })
    else await run('buildah', ['unshare', 'rm', '-rf', scratch])
  }
}
