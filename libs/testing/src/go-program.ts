import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { machineCache } from './machine-cache.ts'

/** A program for tests that a machine builds from Go modules, once. */
export interface TestProgram {
  /** Its name in messages. */
  readonly title: string
  /** The npm script that builds it. */
  readonly script: string
  /** The beginning of its file's name. */
  readonly name: string
  /** The directory of `go.mod`, `go.sum` and, unless the program is one of the modules, `main.go`. */
  readonly sources: string
}

/** Everything that decides what is built; the version of Go is left out, so that a machine without Go finds the program. */
const sourceFiles = ['go.mod', 'go.sum', 'main.go']

/** Returns the file where the script puts the program of these sources: in the cache of the user, for all clones on the machine. */
export function goProgramFile({ sources, name: program }: TestProgram): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const name of sourceFiles) {
    const file = path.join(sources, name)
    if (existsSync(file)) hash.update(readFileSync(file))
  }
  return machineCache(`${program}-${hash.digest('hex').slice(0, 16)}`)
}

/** Why a program cannot be started here; undefined when it can. */
export function goProgramMissing(program: TestProgram): string | undefined {
  return existsSync(goProgramFile(program))
    ? undefined
    : `the ${program.title} is not built; run 'npm run ${program.script}'`
}
