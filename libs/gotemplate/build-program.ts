import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Edit, CompiledProgram } from './programs.ts'

const here = import.meta.dirname

/** The file in which Kustomize has the schema of the Kubernetes API, below its vendored modules. */
const schemaFile = 'sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi/v1_21_2/swagger.pb'

/** Which Go runs; default: that of this machine. */
interface GoRun {
  readonly command?: string
  /** Variables beside those that are fixed. */
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * Runs Go in a directory and returns what it prints.
 * @throws Error when it fails
 */
export function go(
  directory: string,
  commandLine: readonly string[],
  { command = 'go', variables }: GoRun = {},
): string {
  return execFileSync(command, commandLine, {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // Whatever could change the bytes is fixed here and not left to the caller's environment.
    env: {
      ...process.env,
      GOOS: 'js',
      GOARCH: 'wasm',
      GOWASM: '',
      GOFLAGS: '-buildvcs=false',
      GOEXPERIMENT: '',
      GOTOOLCHAIN: 'local',
      GOWORK: 'off',
      CGO_ENABLED: '0',
      ...variables,
    },
  }).trim()
}

/**
 * Builds one program from a copy of its directory in which the modules are vendored, and returns its files.
 * @throws Error when Go fails, or its release cannot be downloaded
 */
export function buildProgram(program: CompiledProgram): { wasm: Buffer; licenses: Map<string, string> } {
  const copy = mkdtempSync(join(tmpdir(), 'gotemplate-'))
  try {
    const own = join(here, program.directory)
    cpSync(own, copy, { recursive: true, filter: (file) => file !== join(own, '_versions') })
    if (program.version !== undefined)
      cpSync(join(own, '_versions', program.version), copy, { recursive: true })
    return buildCopy(copy, program)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function buildCopy(
  copy: string,
  { removed, edits, linked, tags = [], go: release = 'local' }: CompiledProgram,
): { wasm: Buffer; licenses: Map<string, string> } {
  const root = go(copy, ['env', 'GOROOT'], { variables: { GOTOOLCHAIN: release } })
  const command = join(root, 'bin/go')
  go(copy, ['mod', 'vendor'], { command })
  const vendor = join(copy, 'vendor')
  for (const place of globSync([...removed], { cwd: vendor }))
    rmSync(join(vendor, place), { recursive: true })
  if (existsSync(join(copy, '_schema'))) writeSchema(copy, join(vendor, schemaFile))
  if (edits.length > 0) cpSync(join(here, '_vendor'), vendor, { recursive: true })
  const replacements = join(copy, '_vendor')
  if (existsSync(replacements)) cpSync(replacements, vendor, { recursive: true })
  for (const edit of edits) applyEdit(vendor, edit)
  const common = ['-mod=vendor', `-tags=${tags.join()}`]
  const flags = ['-s', '-w', '-buildid=', ...linked.map(([name, value]) => `-X ${name}=${value}`)]
  const options = [...common, '-trimpath', overlayOption(copy, root), `-ldflags=${flags.join(' ')}`]
  // Every module is vendored. In the cache of modules, where other releases of Go are too, Go replaces no file.
  const variables = { GOMODCACHE: join(copy, 'modules') }
  go(copy, ['build', ...options, '-o', 'program.wasm', '.'], { command, variables })
  return { wasm: readFileSync(join(copy, 'program.wasm')), licenses: licensesOf(copy, common, command) }
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
  go(copy, ['run', '-mod=vendor', './_schema', file], { variables: { GOOS: '', GOARCH: '' } })
}

/** Puts the packages in `_std` in the place of those with the same path in Go's standard library. */
function overlayOption(copy: string, root: string): string {
  const standard = join(root, 'src')
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

function licensesOf(copy: string, options: readonly string[], command: string): Map<string, string> {
  const format = '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}'
  const modules = new Set(
    go(copy, ['list', ...options, '-deps', '-f', format, '.'], { command })
      .split('\n')
      .filter(Boolean),
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
