import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { LineCounter, isNode, parseDocument } from 'yaml'
import { UserError } from './user-error.ts'
import { kindOf, type Repository } from './repository.ts'

/** A chart that another one needs. */
export interface Dependency {
  readonly name: string
  readonly version: string
  readonly repository: string
  /** `file:line` of its declaration. */
  readonly place: string
}

/** The name and dependencies of a chart, as it declares them. */
export interface Chart {
  readonly name: string
  readonly dependencies: readonly Dependency[]
}

/** Reads `Chart.yaml` and, for charts of Helm 2, `requirements.yaml`. */
export function readChart(repository: Repository, directory: string): Chart {
  const chart = readMap(repository, posix.join(directory, 'Chart.yaml'))
  if (chart === undefined) {
    throw new UserError(`"${directory || '.'}" is not a Helm chart: it has no Chart.yaml; correct the path`)
  }
  const older = readMap(repository, posix.join(directory, 'requirements.yaml'))
  return {
    name: textOf(chart.map['name']),
    dependencies: [chart, older].flatMap((file) => (file === undefined ? [] : dependenciesOf(file))),
  }
}

function dependenciesOf({ map, placeOf }: YamlMap): Dependency[] {
  const list: unknown = map['dependencies']
  return (Array.isArray(list) ? list : []).map((item, index) => {
    const place = placeOf(['dependencies', index])
    const { name, version, repository } = mapOf(item, place)
    return { name: textOf(name), version: textOf(version), repository: textOf(repository), place }
  })
}

/** Tells of a name whether `charts/` has a directory or an archive with that chart. */
export function vendoredCharts(repository: Repository, directory: string): (name: string) => boolean {
  const charts = posix.join(directory, 'charts')
  if (kindOf(repository, charts, 'directory') !== 'directory') return () => false
  const files = readdirSync(join(repository.root, charts))
  const directories = files.map(
    (file) => readMap(repository, posix.join(charts, file, 'Chart.yaml'))?.map['name'],
  )
  return (name) =>
    directories.includes(name) ||
    files.some((file) => file.startsWith(`${name}-`) && /^v?\d.*\.tgz$/.test(file.slice(name.length + 1)))
}

/** A YAML file that holds a map; every scalar is the text that was written. */
interface YamlMap {
  readonly map: Readonly<Record<string, unknown>>
  readonly placeOf: (path: readonly unknown[]) => string
}

function readMap(repository: Repository, path: string): YamlMap | undefined {
  if (kindOf(repository, path, 'file') !== 'file') return undefined
  const text = readFileSync(join(repository.root, path), 'utf8')
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', merge: true, uniqueKeys: false, lineCounter })
  const [error] = document.errors
  if (error) throw new UserError(`${path}: ${error.message}`, { cause: error })
  return {
    map: mapOf(document.toJS() ?? {}, path),
    placeOf: (steps) => {
      const node = document.getIn(steps, true)
      const [offset = 0] = (isNode(node) && node.range) || []
      return `${path}:${lineCounter.linePos(offset).line}`
    },
  }
}

function mapOf(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new UserError(`${place}: must be an object`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
