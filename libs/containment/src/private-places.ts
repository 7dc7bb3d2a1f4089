import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { mountPoints } from '@wadi/programs/mount-points.ts'
import { fileIdentity } from './file-identity.ts'
import {
  type PrivateRoot,
  type RootParts,
  makePrivateRoot,
  makeTemporaryPoint,
  mountLine,
} from './private-root.ts'
import type { View } from './isolation.ts'
import type { IsolatedCommand, IsolatedRun, Isolator } from './isolator.ts'
import { isStaticProgram } from './program-kind.ts'
import { type ContainingPrograms, namespacedCommand } from './wrapped-command.ts'

/** Isolates programs by namespaces: makes their roots and, for each run, the table of what is mounted in one. */
export class PrivatePlaces implements Isolator {
  readonly #directory: string
  readonly #parts: RootParts
  readonly #programs: ContainingPrograms
  readonly #roots = new Map<string, PrivateRoot>()
  #runs = 0

  /** @param options the directory is one of this process alone */
  constructor(
    { directory, programDirectories, hidden }: Pick<RootParts, 'directory' | 'programDirectories' | 'hidden'>,
    programs: ContainingPrograms,
  ) {
    this.#directory = directory
    this.#programs = programs
    this.#parts = {
      directory: path.join(directory, 'roots'),
      mounts: mountPoints(),
      programDirectories,
      hidden: [...hidden, directory],
    }
  }

  isolate(
    program: string,
    argv: readonly string[],
    { cwd, isolation, processes }: IsolatedRun,
  ): IsolatedCommand & Disposable {
    const programs = [program, ...(isolation.otherPrograms ?? [])]
    const root = this.#root(isolation.view, programs, isolation.files ?? [])
    using owned = new DisposableStack()
    const { directory, directoryAs = directory, temporary, network } = isolation
    const lines = [root.mounts]
    if (temporary === undefined) owned.use(makeTemporaryPoint(root.directory, directoryAs))
    else {
      // The directory's own place may be in it.
      if (directoryAs.startsWith('/tmp/'))
        mkdirSync(path.join(temporary, path.relative('/tmp', directoryAs)), { recursive: true })
      else owned.use(makeTemporaryPoint(root.directory, directoryAs))
      lines.push(mountLine(this.#parts, temporary, path.join(root.directory, 'tmp'), ['nosuid', 'nodev']))
    }
    lines.push(
      mountLine(this.#parts, directory, path.join(root.directory, directoryAs), [
        'nosuid',
        'nodev',
        'X-mount.mkdir',
      ]),
    )
    this.#runs += 1
    const mountTable = path.join(this.#directory, `mounts-${this.#runs}`)
    owned.defer(() => rmSync(mountTable, { force: true }))
    writeFileSync(mountTable, lines.join(''))
    const kept = owned.move()
    const namespaces = {
      mountTable,
      root: root.directory,
      cwd: path.join(directoryAs, path.relative(directory, cwd)),
      network,
      processes,
    }
    return {
      argv: namespacedCommand(argv, this.#programs, namespaces),
      isInShell: true,
      [Symbol.dispose]: () => kept.dispose(),
    }
  }

  #root(asked: View, programs: readonly string[], files: readonly string[]): PrivateRoot {
    const shown = [...programs, ...files]
    // A program that was replaced may need other files than the one before.
    const key = [asked, ...shown.map((file) => `${file} ${fileIdentity(file) ?? ''}`)].join('\n')
    const known = this.#roots.get(key)
    if (known !== undefined) return known
    const view =
      asked === 'program' && programs.every((program) => isStaticProgram(program)) ? 'program' : 'system'
    const made = makePrivateRoot(this.#parts, `root-${this.#roots.size}`, view, shown)
    this.#roots.set(key, made)
    return made
  }
}
