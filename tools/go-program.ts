import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type TestProgram, goProgramFile } from '@wadi/testing/go-program.ts'

const maxMinutes = 40

/** A program to build. */
interface GoBuild {
  readonly program: TestProgram
  /** The text to print when the build begins. */
  readonly begins: string
  /** The package to build, by default the one in the directory. */
  readonly package?: string
  /** More for the linker, such as the values of variables. */
  readonly linker?: string
  /** Build tags, with commas between them. */
  readonly tags?: string
  /** True if it has parts in C, for which a C compiler is needed. */
  readonly cgo?: boolean
}

/**
 * Builds a program from its Go modules unless it is there. The last line that is printed says what became of it; the exit code is 1
 * when there is no program, and what needs one is then skipped.
 */
export async function buildGoProgram(built: GoBuild): Promise<void> {
  const { title } = built.program
  const file = goProgramFile(built.program)
  const failure = existsSync(file) ? undefined : await build(file, built)
  console.log(failure === undefined ? `${title}: ${file}` : `${title}: not built: ${failure}`)
  if (failure !== undefined) process.exitCode = 1
}

/** Returns why there is no program. */
async function build(
  file: string,
  { program, begins, package: built = '.', linker = '', tags = '', cgo = false }: GoBuild,
): Promise<string | undefined> {
  const directory = path.dirname(file)
  mkdirSync(directory, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  console.log(begins)
  const go = spawn(
    'nice',
    [
      '-n',
      '15',
      'go',
      'build',
      '-mod=readonly',
      '-trimpath',
      '-tags',
      tags,
      '-ldflags',
      `-s -w ${linker}`,
      '-o',
      unfinished,
      built,
    ],
    {
      cwd: program.sources,
      env: {
        ...process.env,
        CGO_ENABLED: cgo ? '1' : '0',
        GOWORK: 'off',
        GOFLAGS: '-buildvcs=false',
        // A newer Go than the machine's is fetched where the modules need one.
        GOTOOLCHAIN: 'auto',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: maxMinutes * 60_000,
    },
  )
  let output = ''
  go.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stderr.write(text)
  })
  try {
    const [code, signal] = await once(go, 'close')
    if (code === 0) {
      renameSync(unfinished, file)
      removeOthers(directory, file, program.name)
      return undefined
    }
    if (signal !== null)
      return signal === 'SIGTERM' ? `no end after ${maxMinutes} minutes` : `ended by ${signal}`
    // By `nice`, for a program that it does not find.
    return code === 127 ? 'Go is missing; install Go 1.26 or newer' : lastLine(output)
  } catch (error) {
    return String(error)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Programs of other sources are of no use to anybody who has these. */
function removeOthers(directory: string, kept: string, name: string): void {
  for (const found of readdirSync(directory)) {
    const file = path.join(directory, found)
    const isOther = found.startsWith(`${name}-`) && /^[0-9a-f]+$/.test(found.slice(name.length + 1))
    if (isOther && file !== kept) rmSync(file, { force: true })
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? 'the build says nothing'
}
