import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from './user-error.ts'

/** Builds the kustomization in a directory with `kustomize` or `kubectl`, whichever is there, and prints the result. */
export function runKustomize(directory: string): void {
  // Without this the home would stay behind when cmp-server stops the plugin; Kustomize gets the same signal.
  process.once('SIGTERM', () => process.exit(143))
  const home = mkdtempSync(join(tmpdir(), 'kustomize-helm-plugin-'))
  try {
    for (const [program, subcommand] of [
      ['kustomize', 'build'],
      ['kubectl', 'kustomize'],
    ] as const) {
      const helm = join(import.meta.dirname, 'helm-for-kustomize.sh')
      const { status, signal, stderr, error } = spawnSync(
        program,
        [subcommand, '.', '--enable-helm', '--helm-command', helm],
        {
          cwd: directory,
          env: kustomizeEnvironment(home),
          stdio: ['ignore', 'inherit', 'pipe'],
          maxBuffer: 16 * 1024 * 1024,
          encoding: 'utf8',
        },
      )
      if (error && 'code' in error && error.code === 'ENOENT') continue
      if (error) throw new UserError(`${program} cannot be run: ${error.message}`)
      const message = stderr.replaceAll(`${directory}/`, '').replaceAll(home, '').trim()
      if (status !== 0) throw new UserError(message.slice(0, 4096) || `${program} ended by ${signal}`)
      if (message !== '') console.error(message)
      return
    }
    throw new UserError('neither kustomize nor kubectl is on the PATH of the plugin')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Of the sidecar's environment Kustomize and Helm get the PATH alone, and no way to a network or a cluster. */
function kustomizeEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TMPDIR: home,
    KUBECONFIG: '/dev/null',
    // Nobody listens there, so whatever wants to download fails at once.
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    GIT_ALLOW_PROTOCOL: 'none',
  }
}
