import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { redactor } from '@wadi/errors/redaction.ts'
import { zoneFile } from '@wadi/gotemplate/zone-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { parentPath } from '@wadi/file-trees/repository-path.ts'
import { type InputLimits, copyInputs } from './copy-inputs.ts'
import { type OutsideWay, waySecrets, wayVariables } from '@wadi/renderer-tools/outside-way.ts'

/** A private directory that holds the inputs of one render and nothing else. */
export class Sandbox implements AsyncDisposable {
  /** Absolute path of the copy of the repository. */
  readonly repository: string
  /** The environment for tools: homes inside the sandbox, no credentials and, unless allowed, no way out. */
  readonly environment: Readonly<Record<string, string>>
  /** Absolute path of the directory with all of it, homes too. */
  readonly directory: string
  /** True if tools may reach the network. */
  readonly network: boolean
  readonly #redacted: (text: string) => string
  readonly #directories = new Set<string>(['', '..'])
  readonly #written = new Set<string>()

  /**
   * @param root directory in which the sandbox is made, with mode 0700
   * @param way how tools reach the network; undefined where they may not
   */
  constructor(root: string, way: OutsideWay | undefined) {
    mkdirSync(root, { recursive: true })
    this.directory = mkdtempSync(join(realpathSync(root), 'render-'))
    this.network = way !== undefined
    this.#redacted = way ? redactor(waySecrets(way)) : (text) => text
    this.repository = join(this.directory, 'repository')
    const home = join(this.directory, 'home')
    mkdirSync(this.repository)
    mkdirSync(home)
    this.environment = {
      HOME: home,
      TMPDIR: home,
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      HELM_CACHE_HOME: join(home, 'helm', 'cache'),
      HELM_CONFIG_HOME: join(home, 'helm', 'config'),
      HELM_DATA_HOME: join(home, 'helm', 'data'),
      HELM_PLUGINS: join(home, 'helm', 'plugins'),
      KUBECONFIG: '/dev/null',
      // The zone of the machine must not decide what a chart prints.
      TZ: 'UTC',
      // Nor which zones it knows: without this, a program of Go finds none where it is contained, and takes UTC for each.
      ZONEINFO: zoneFile,
      // A proxy that nobody runs makes every request fail at once, should a reference escape the inspection.
      ...(way
        ? {
            PATH: '/usr/local/bin:/usr/bin:/bin',
            GIT_TERMINAL_PROMPT: '0',
            GIT_CONFIG_NOSYSTEM: '1',
            ...wayVariables(way, join(home, 'authorities.pem')),
          }
        : { PATH: '/nonexistent', HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }),
    }
  }

  /**
   * Copies the inputs; a symlink becomes a copy of what it leads to.
   * @param skipBadLinks for inputs that were not inspected, in which a broken link matters only if the tool wants it
   * @throws ResourceExhaustedError above a limit
   */
  async writeInputs(
    tree: FileTree,
    inputs: readonly string[],
    limits: InputLimits,
    skipBadLinks = false,
  ): Promise<void> {
    await copyInputs(tree, inputs, limits, {
      skipBadLinks,
      copied: this.#written,
      directory: (path) => this.#makeDirectory(path),
      file: (path, content) => this.write(path, content),
    })
  }

  /** The files of the repository that were copied. */
  get inputs(): ReadonlySet<string> {
    return this.#written
  }

  /** Writes a file at a path of the repository. */
  write(path: string, content: string | Uint8Array): void {
    this.#makeDirectory(parentPath(path))
    writeFileSync(join(this.repository, path), content)
  }

  /** Removes every trace of where the sandbox is from a tool's message, so that paths are those of the repository. */
  clean(text: string): string {
    return this.#redacted(text)
      .replaceAll(`${this.repository}/`, '')
      .replaceAll(this.repository, '.')
      .replaceAll(this.directory, '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      rmSync(this.directory, { recursive: true, force: true })
    } catch {
      // A process that was killed just now may still create files; waiting for it needs the event loop.
      await rm(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    }
  }

  #makeDirectory(path: string): void {
    if (this.#directories.has(path)) return
    this.#makeDirectory(parentPath(path))
    this.#directories.add(path)
    // A tool may have made it already.
    mkdirSync(join(this.repository, path), { recursive: true })
  }
}
