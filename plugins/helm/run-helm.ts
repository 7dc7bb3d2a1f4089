import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from './user-error.ts'
import type { Repository } from './repository.ts'

/** Runs Helm at the root of the repository; what Helm prints goes to standard output if `prints`. */
export type RunHelm = (
  args: readonly string[],
  options: { readonly input?: string; readonly prints: boolean },
) => void

/** Longest message of Helm that is passed on, in characters. */
const maxMessageLength = 4096

/** Lets Helm run with a home of its own, which is removed at the end, and without a way to a network or a cluster. */
export function withHelm(
  program: string,
  repository: Repository,
  chartName: string,
  task: (run: RunHelm) => void,
): void {
  // Without this the home would stay behind when cmp-server stops the plugin; Helm gets the same signal.
  process.once('SIGTERM', () => process.exit(143))
  const home = mkdtempSync(join(tmpdir(), 'helm-plugin-'))
  try {
    task((args, { input, prints }) => {
      const { status, signal, stderr, error } = spawnSync(program, args, {
        cwd: repository.root,
        env: helmEnvironment(home),
        input: input ?? '',
        stdio: ['pipe', prints ? 'inherit' : 'ignore', 'pipe'],
        maxBuffer: 16 * 1024 * 1024,
        encoding: 'utf8',
      })
      if (error)
        throw new UserError(`${program} cannot be run: ${error.message}; put it on the PATH of the plugin`)
      const message = readable(stderr, repository, chartName).trim()
      if (status === 0) {
        if (message !== '') console.error(message)
        return
      }
      throw new UserError(
        `${shown(args)} failed: ${message.slice(0, maxMessageLength) || (signal ?? 'no message')}\nCorrect the chart, its values or the parameters.`,
      )
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Of the sidecar's environment Helm gets the PATH alone: a template may read what Helm has. */
function helmEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TMPDIR: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    HELM_CACHE_HOME: join(home, 'cache/helm'),
    HELM_CONFIG_HOME: join(home, 'config/helm'),
    HELM_DATA_HOME: join(home, 'data/helm'),
    HELM_PLUGINS: join(home, 'plugins'),
    KUBECONFIG: '/dev/null',
    // Nobody listens there, so whatever wants to download fails at once.
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
  }
}

/** Paths in a message become those of the repository, where Helm writes the chart's name or where the copy is. */
function readable(message: string, { root, path }: Repository, chartName: string): string {
  const directory = path === '' ? '' : `${path}/`
  const text = message
    .replaceAll(`${root}/`, '')
    .replaceAll(root, '.')
    .replaceAll('failed to parse -:', 'failed to parse parameter values:')
  const prefix = new RegExp(
    `(?<![\\w./-])${chartName.replaceAll(/\W/g, '\\$&')}/(?=(?:templates|charts|crds)/)`,
    'g',
  )
  return text.replaceAll(prefix, directory)
}

function shown(args: readonly string[]): string {
  const line = ['helm', ...args].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
  return line.join(' ').slice(0, 300)
}
