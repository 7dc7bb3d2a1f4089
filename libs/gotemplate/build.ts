import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { byKey } from '@wadi/order/by-name.ts'
import { splitProgram } from './split-program.ts'

/**
 * Builds the Go programs of this folder to WebAssembly, compressed: `src/*.wasm.zst` with the code and `src/*.data.zst` with what the
 * memory begins with, Go's host script and time zones, the licenses of what is compiled in, and `src/build-record.json` with the Go version and the checksums.
 * With --check it compares instead of writing, if this machine has the recorded version of Go.
 */

const folder = import.meta.dirname
const source = join(folder, 'src')
const recordFile = join(source, 'build-record.json')
/** The programs, each with what is removed from its vendored modules before the files of its `_vendor` are laid over them. */
const programs = new Map<string, readonly string[]>([
  ['template', ['github.com/Masterminds/sprig/v3/{crypto,network}.go']],
  ['jsonnet', []],
  ['kustomize', []],
  ['helm', ['k8s.io/client-go', 'k8s.io/apiextensions-apiserver', 'k8s.io/apimachinery/pkg/runtime/*.go']],
])

/** What the linker writes into programs that report their version: Helm to templates, Kustomize in a label. */
const linkedValues: Record<string, readonly (readonly [name: string, value: string])[]> = {
  helm: [
    ['helm.sh/helm/v4/internal/version.version', 'v4.1.4'],
    ['helm.sh/helm/v4/internal/version.gitCommit', '05fa37973dc9e42b76e1d2883494c87174b6074f'],
    ['helm.sh/helm/v4/internal/version.gitTreeState', 'clean'],
  ],
  kustomize: [['sigs.k8s.io/kustomize/api/provenance.version', 'v5.7.1']],
}

/** Where Kustomize has the schema of the Kubernetes API, below its vendored modules. */
const schemaFile = 'sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi/v1_21_2/swagger.pb'

interface BuildRecord {
  go: string
  sha256: Record<string, string>
}

function go(directory: string, ...commandLine: string[]): string {
  return goFor({ GOOS: 'js', GOARCH: 'wasm' }, directory, commandLine)
}

function goFor(system: { GOOS: string; GOARCH: string }, directory: string, commandLine: string[]): string {
  return execFileSync('go', commandLine, {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // Whatever could change the bytes is fixed here and not left to the caller's environment.
    env: {
      ...process.env,
      ...system,
      GOWASM: '',
      GOFLAGS: '-buildvcs=false',
      GOEXPERIMENT: '',
      GOTOOLCHAIN: 'local',
      GOWORK: 'off',
      CGO_ENABLED: '0',
    },
  }).trim()
}

function installedGo(): string | undefined {
  try {
    return go(folder, 'env', 'GOVERSION')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      return undefined
    }
    throw cause
  }
}

/** Builds one program from a copy of its folder in which the modules are vendored, and returns its files. */
function build(program: string, removed: readonly string[]): { wasm: Buffer; licenses: Map<string, string> } {
  const copy = mkdtempSync(join(tmpdir(), 'gotemplate-'))
  try {
    cpSync(join(folder, program), copy, { recursive: true })
    go(copy, 'mod', 'vendor')
    const vendor = join(copy, 'vendor')
    for (const place of globSync([...removed], { cwd: vendor }))
      rmSync(join(vendor, place), { recursive: true })
    if (existsSync(join(copy, '_schema'))) writeSchema(copy, join(vendor, schemaFile))
    const replacements = join(copy, '_vendor')
    if (existsSync(replacements)) cpSync(replacements, vendor, { recursive: true })
    const linked = linkedValues[program] ?? []
    const flags = ['-s', '-w', '-buildid=', ...linked.map(([name, value]) => `-X ${name}=${value}`)]
    const options = ['-mod=vendor', '-trimpath', overlayOption(copy), `-ldflags=${flags.join(' ')}`]
    go(copy, 'build', ...options, '-o', 'program.wasm', '.')
    return { wasm: readFileSync(join(copy, 'program.wasm')), licenses: licensesOf(copy) }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** Writes the schema that the program is to have from that of its module, by a program for this machine. */
function writeSchema(copy: string, file: string): void {
  goFor({ GOOS: '', GOARCH: '' }, copy, ['run', '-mod=vendor', './_schema', file])
}

/** Puts the packages in `_std` in the place of those with the same path in Go's standard library. */
function overlayOption(copy: string): string {
  const standard = join(go(copy, 'env', 'GOROOT'), 'src')
  const files = globSync('_std/**/*.go', { cwd: copy }).map((file) => file.slice('_std/'.length))
  const packages = new Set(files.map((file) => dirname(file)))
  const left = [...packages].flatMap((path) =>
    globSync(join(standard, path, '*.go')).map((file) => [file, '']),
  )
  const placed = files.map((file) => [join(standard, file), join(copy, '_std', file)])
  const list = join(copy, 'overlay.json')
  writeFileSync(list, JSON.stringify({ Replace: Object.fromEntries([...left, ...placed]) }))
  return `-overlay=${list}`
}

function licensesOf(copy: string): Map<string, string> {
  const format = '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}'
  const modules = new Set(
    go(copy, 'list', '-mod=vendor', '-deps', '-f', format, '.').split('\n').filter(Boolean),
  )
  return new Map(
    [...modules].flatMap((module) =>
      globSync(`vendor/${module}/{LICENSE,LICENCE,COPYING,NOTICE}*`, { cwd: copy }).map((file) => [
        file.slice('vendor/'.length),
        readFileSync(join(copy, file), 'utf8'),
      ]),
    ),
  )
}

/** A fifth of the size. The same version of Node.js, which is locked, gives the same bytes. */
function compressed(content: Uint8Array): Buffer {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 12 } })
}

/** Builds everything and returns the content of each generated file by its name in `src`. */
function buildAll(version: string): Map<string, Buffer> {
  const root = go(folder, 'env', 'GOROOT')
  const files = new Map<string, Buffer>()
  const licenses = new Map([['go', readFileSync(join(root, 'LICENSE'), 'utf8')]])
  for (const [program, removed] of programs) {
    const built = build(program, removed)
    const { module, data } = splitProgram(built.wasm)
    files.set(`${program}.wasm.zst`, compressed(module)).set(`${program}.data.zst`, compressed(data))
    built.licenses.forEach((text, file) => licenses.set(file, text))
  }
  files.set('zoneinfo.zip', readFileSync(join(root, 'lib/time/zoneinfo.zip')))
  files.set('wasm_exec.js', readFileSync(join(root, 'lib/wasm/wasm_exec.js')))
  const parts = [...licenses].toSorted(byKey).map(([file, text]) => `== ${file}\n\n${text.trim()}\n`)
  files.set('third-party-licenses.txt', Buffer.from(parts.join('\n')))
  const record: BuildRecord = { go: version, sha256: {} }
  files.forEach((content, name) => {
    record.sha256[name] = createHash('sha256').update(content).digest('hex')
  })
  return files.set('build-record.json', Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`))
}

function check(version: string | undefined): void {
  const record: BuildRecord = JSON.parse(readFileSync(recordFile, 'utf8'))
  if (version !== record.go) {
    console.log(`gotemplate: not checked: it was built with ${record.go}, and here is ${version ?? 'no Go'}`)
    return
  }
  const differing = [...buildAll(version)].filter(
    ([name, content]) => !content.equals(readFileSync(join(source, name))),
  )
  for (const [name] of differing) {
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
  buildAll(version).forEach((content, name) => writeFileSync(join(source, name), content))
}
