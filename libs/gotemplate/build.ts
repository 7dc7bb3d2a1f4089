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
/** A line of a vendored file that calls what a file in `_vendor` adds to its package. */
interface Edit {
  readonly file: string
  readonly line: string
  readonly becomes: string
}

/**
 * How the vendored modules of a program are changed: what is removed, then files are laid over the rest, then lines are edited. The files are
 * those of the program's `_vendor` and, where lines are edited, before them those of the `_vendor` of all programs.
 */
interface Changes {
  readonly removed: readonly string[]
  readonly edits?: readonly Edit[]
}

const yamlFile = 'sigs.k8s.io/yaml/yaml.go'
const yamlEdits: readonly Edit[] = [
  {
    file: yamlFile,
    line: 'return unmarshal(yamlBytes, obj, yaml.Unmarshal, opts...)',
    becomes: 'return unmarshalAny(yamlBytes, obj, opts...)',
  },
  {
    file: yamlFile,
    line: 'err := yaml.Unmarshal(j, &jsonObj)',
    becomes: 'err := unmarshalJSON(j, &jsonObj)',
  },
]
const kustomize = 'sigs.k8s.io/kustomize'
const kustomizeEdits: readonly Edit[] = [
  // Kustomize writes what it configures its own transformers with, for each of them to read.
  {
    file: `${kustomize}/api/internal/target/kusttarget.go`,
    line: 'y, err = yaml.Marshal(c)',
    becomes: 'y, err = yaml.MarshalConfiguration(c)',
  },
  {
    file: `${kustomize}/kyaml/yaml/compatibility.go`,
    line: 'if value == "" {',
    becomes: 'if value == "" || isWord(value) {',
  },
  {
    file: `${kustomize}/kyaml/yaml/rnode.go`,
    line: 'func (rn *RNode) MarshalJSON() ([]byte, error) {',
    becomes: `func (rn *RNode) MarshalJSON() ([]byte, error) {
	if text, isPlain := rn.plainJSON(); isPlain {
		return text, nil
	}`,
  },
  // The paths of two fields mostly differ, and are compared faster than their types.
  {
    file: `${kustomize}/api/types/fieldspec.go`,
    line: 'return fs.IsSelected(&other.Gvk) && fs.Path == other.Path',
    becomes: 'return fs.Path == other.Path && fs.IsSelected(&other.Gvk)',
  },
]

const programs = new Map<string, Changes>([
  ['template', { removed: ['github.com/Masterminds/sprig/v3/{crypto,network}.go'] }],
  ['jsonnet', { removed: [] }],
  ['kustomize', { removed: [], edits: [...yamlEdits, ...kustomizeEdits] }],
  [
    'helm',
    {
      removed: ['k8s.io/client-go', 'k8s.io/apiextensions-apiserver', 'k8s.io/apimachinery/pkg/runtime/*.go'],
      edits: yamlEdits,
    },
  ],
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
function build(
  program: string,
  { removed, edits = [] }: Changes,
): { wasm: Buffer; licenses: Map<string, string> } {
  const copy = mkdtempSync(join(tmpdir(), 'gotemplate-'))
  try {
    cpSync(join(folder, program), copy, { recursive: true })
    go(copy, 'mod', 'vendor')
    const vendor = join(copy, 'vendor')
    for (const place of globSync([...removed], { cwd: vendor }))
      rmSync(join(vendor, place), { recursive: true })
    if (existsSync(join(copy, '_schema'))) writeSchema(copy, join(vendor, schemaFile))
    if (edits.length > 0) cpSync(join(folder, '_vendor'), vendor, { recursive: true })
    const replacements = join(copy, '_vendor')
    if (existsSync(replacements)) cpSync(replacements, vendor, { recursive: true })
    for (const edit of edits) applyEdit(vendor, edit)
    const linked = linkedValues[program] ?? []
    const flags = ['-s', '-w', '-buildid=', ...linked.map(([name, value]) => `-X ${name}=${value}`)]
    const options = ['-mod=vendor', '-trimpath', overlayOption(copy), `-ldflags=${flags.join(' ')}`]
    go(copy, 'build', ...options, '-o', 'program.wasm', '.')
    return { wasm: readFileSync(join(copy, 'program.wasm')), licenses: licensesOf(copy) }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function applyEdit(vendor: string, { file, line, becomes }: Edit): void {
  const place = join(vendor, file)
  const [before, after, ...more] = readFileSync(place, 'utf8').split(line)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not have the line ${line} once`)
  writeFileSync(place, `${before}${becomes}${after}`)
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
  for (const [program, changes] of programs) {
    const built = build(program, changes)
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
