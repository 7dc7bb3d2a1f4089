import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { byKey } from '@wadi/order/by-name.ts'
import { buildProgram, go } from './build-program.ts'
import { type CompiledProgram, programs } from './programs.ts'
import { splitProgram } from './split-program.ts'

/**
 * Builds the Go programs of this home to WebAssembly, compressed: `src/*.wasm.zst` with the code and `src/*.data.zst` with what the
 * memory begins with, Go's host script and time zones, the licenses of what is compiled in, and `src/build-record.json` with the Go version and the checksums.
 * With --check it compares instead of writing, if this machine has the recorded version of Go.
 */

const home = import.meta.dirname
const source = join(home, 'src')
const recordName = 'build-record.json'
const licensesName = 'third-party-licenses.txt'

interface BuildRecord {
  go: string
  sha256: Record<string, string>
}

function installedGo(): string | undefined {
  try {
    return go(home, ['env', 'GOVERSION'])
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      return undefined
    }
    throw cause
  }
}

/** A program that needs another release of Go, which Go itself downloads. */
function isBuildable({ go: release }: CompiledProgram): boolean {
  if (release === undefined) return true
  try {
    return go(home, ['env', 'GOVERSION'], { variables: { GOTOOLCHAIN: release } }) === release
  } catch {
    return false
  }
}

/** A fifth of the size. The same version of Node.js, which is locked, gives the same bytes. */
function compressed(content: Uint8Array): Buffer {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 12 } })
}

/** Builds programs and returns the content of each generated file by its name in `src`. */
function build(some: readonly CompiledProgram[]): Map<string, Buffer> {
  const root = go(home, ['env', 'GOROOT'])
  const files = new Map<string, Buffer>()
  const licenses = new Map([['go', readFileSync(join(root, 'LICENSE'), 'utf8')]])
  for (const program of some) {
    const built = buildProgram(program)
    const { module, data } = splitProgram(built.wasm)
    files
      .set(`${program.name}.wasm.zst`, compressed(module))
      .set(`${program.name}.data.zst`, compressed(data))
    built.licenses.forEach((text, file) => licenses.set(file, text))
  }
  files.set('zoneinfo.zip', readFileSync(join(root, 'lib/time/zoneinfo.zip')))
  files.set('wasm_exec.js', readFileSync(join(root, 'lib/wasm/wasm_exec.js')))
  const parts = [...licenses].toSorted(byKey).map(([file, text]) => `== ${file}\n\n${text.trim()}\n`)
  return files.set(licensesName, Buffer.from(parts.join('\n')))
}

function recordOf(version: string, files: ReadonlyMap<string, Buffer>): Buffer {
  const record: BuildRecord = { go: version, sha256: {} }
  files.forEach((content, name) => {
    record.sha256[name] = createHash('sha256').update(content).digest('hex')
  })
  return Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`)
}

function check(version: string | undefined): void {
  const recorded = readFileSync(join(source, recordName))
  const record: BuildRecord = JSON.parse(recorded.toString())
  if (version !== record.go) {
    console.log(`gotemplate: not checked: it was built with ${record.go}, and here is ${version ?? 'no Go'}`)
    return
  }
  const here = programs.filter(isBuildable)
  for (const { name, go: release } of programs.filter((program) => !here.includes(program)))
    console.log(`gotemplate: ${name} is not checked: Go cannot download its release ${release}`)
  const files = build(here)
  if (here.length === programs.length) files.set(recordName, recordOf(version, files))
  else files.delete(licensesName)
  for (const [name, content] of files) {
    if (content.equals(readFileSync(join(source, name)))) continue
    console.error(`libs/gotemplate/src/${name} differs from its source: run npm run build:gotemplate`)
    process.exitCode = 1
  }
}

const version = installedGo()
if (parseArgs({ options: { check: { type: 'boolean', default: false } } }).values.check) {
  check(version)
} else if (version === undefined) {
  console.error('gotemplate: go is not on the PATH: install it from https://go.dev/dl')
  process.exitCode = 1
} else {
  const files = build(programs)
  files.set(recordName, recordOf(version, files))
  files.forEach((content, name) => writeFileSync(join(source, name), content))
}
