import type { JsonObject } from '@bufbuild/protobuf'
import { helmEngines, kustomizeEngines } from '@wadi/gotemplate/engine-versions.ts'
import { renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { type SeededRandom, seededRandom } from '@wadi/testing/seeded-random.ts'
import { configMap } from '../application-fixture.ts'

/** An Application of the edited repository. */
export interface EditedApplication {
  readonly name: string
  /** Directory of the dry source. */
  path: string
  syncPath: string
  /** Further fields of `drySource`. */
  source: JsonObject
}

/** The versions that an edit pins: the newer ones need the renderers that tests build. */
const pinned: Readonly<Record<string, readonly string[]>> =
  renderersMissing === undefined
    ? { helm: helmEngines, kustomize: kustomizeEngines }
    : { helm: helmEngines.slice(0, 1), kustomize: kustomizeEngines.slice(0, 1) }

type Edit = (of: EditedRepository) => string

const kinds = ['plain', 'overlay', 'chart', 'jsonnet'] as const

const chartTemplate =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Values.name }}}\ndata: {size: {{ .Values.size | quote }}, text: "0", helm: {{ .Capabilities.HelmVersion.Version }}}\n'

/** Files and Applications that random edits change, the same for the same seed. */
export class EditedRepository {
  readonly random: SeededRandom
  /** The texts of the files by path. */
  files = new Map<string, string>([
    ['base/kustomization.yaml', 'resources: [config.yaml]\n'],
    ['base/config.yaml', configMap('base', '0')],
    ['charts/web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n'],
    ['charts/web/values.yaml', 'name: web\nsize: 1\n'],
    ['charts/web/templates/config.yaml', chartTemplate],
    ['lib/common.libsonnet', '{ value: "0" }\n'],
  ])
  readonly applications = new Map<string, EditedApplication>()
  #made = 0
  #values = 0

  constructor(seed: number) {
    this.random = seededRandom(seed)
    for (const kind of kinds) this.#add(kind)
  }

  /** Makes one to three edits and returns what they were; most rounds leave the Applications as they are. */
  edit(): string[] {
    const edits = this.random.chance(0.3) ? [...fileEdits, ...applicationEdits] : fileEdits
    return Array.from({ length: this.random.integer(1, 3) }, () => this.random.pick(edits)(this))
  }

  /** Forgets the Applications whose directories are gone. */
  dropLost(): void {
    const paths = [...this.files.keys()]
    for (const { name, path } of this.applications.values()) {
      if (!paths.some((file) => file.startsWith(`${path}/`))) this.applications.delete(name)
    }
  }

  /** Adds an Application of a kind and returns its name. */
  add(): string {
    return this.#add(this.random.pick(kinds))
  }

  /** Names the versions of all tools in git. */
  pinTools(): string {
    const pins = Object.entries(pinned).map(([tool, versions]) => `${tool}: ${this.random.pick(versions)}`)
    this.files.set('wadi.yaml', `tools: {${pins.join(', ')}}\n`)
    return `pin ${pins.join(', ')}`
  }

  /** A text that was not there before. */
  newValue(): string {
    this.#values += 1
    return `value-${this.#values}`
  }

  /** Replaces the text of a file that is there. */
  rewrite(path: string, pattern: RegExp, becomes: string): string {
    const text = this.files.get(path)
    if (text === undefined) return `${path} is gone`
    this.files.set(path, text.replace(pattern, becomes))
    return `change ${path}`
  }

  #add(kind: (typeof kinds)[number]): string {
    this.#made += 1
    const name = `${kind}-${this.#made}`
    const path = kind === 'chart' ? 'charts/web' : `${kind}/${name}`
    const source: JsonObject = {}
    if (kind === 'plain') this.files.set(`${path}/a.yaml`, configMap(name, '0'))
    if (kind === 'overlay')
      this.files.set(`${path}/kustomization.yaml`, `namePrefix: ${name}-\nresources: [../../base]\n`)
    if (kind === 'jsonnet') {
      const object = `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${name}' }, data: import '../../lib/common.libsonnet' }`
      this.files.set(`${path}/main.jsonnet`, `${object}\n`)
    }
    if (kind === 'chart') {
      this.files.set(`values/${name}.yaml`, `name: ${name}\n`)
      source['helm'] = { valueFiles: [`../../values/${name}.yaml`] }
    }
    this.applications.set(name, { name, path, syncPath: name, source })
    return name
  }
}

const anApplication = ({ random, applications }: EditedRepository): EditedApplication =>
  random.pick([...applications.values()])

/** Edits of files. */
const fileEdits: readonly Edit[] = [
  (of) => of.rewrite('base/config.yaml', /value: .*/, `value: ${of.newValue()}`),
  (of) => of.rewrite('charts/web/values.yaml', /size: .*/, `size: ${of.random.below(1000)}`),
  (of) => of.rewrite('charts/web/templates/config.yaml', /text: "[^"]*"/, `text: "${of.newValue()}"`),
  (of) => of.rewrite('lib/common.libsonnet', /"[^"]*"/, `"${of.newValue()}"`),
  (of) => {
    of.files.set('README.md', `${of.newValue()}\n`)
    return 'change the README'
  },
  (of) => {
    const { name, path } = anApplication(of)
    if (path === 'charts/web')
      return of.rewrite(`values/${name}.yaml`, /$/, `size: ${of.random.below(1000)} # ${of.newValue()}\n`)
    of.files.set(`${path}/${of.random.pick(['x', 'y'])}.yaml`, configMap(`${name}-more`, of.newValue()))
    return `change a file of ${path}`
  },
  (of) => {
    const { name, path } = anApplication(of)
    of.files.set(
      `${path}/.argocd-source-${name}.yaml`,
      `# ${of.newValue()}\ndirectory: {exclude: 'x.yaml'}\n`,
    )
    return `set options of ${name} in git`
  },
  (of) => {
    if (of.random.chance(0.3)) return of.files.delete('wadi.yaml') ? 'pin no tool' : 'leave tools unpinned'
    return of.pinTools()
  },
  (of) => {
    const { path } = anApplication(of)
    const broken = `${path}/broken.yaml`
    if (of.files.delete(broken)) return `repair ${path}`
    if (of.random.chance(0.5)) of.files.set(broken, 'a: [\n')
    return `perhaps break ${path}`
  },
]

/** Edits of Applications, some of files too. */
const applicationEdits: readonly Edit[] = [
  (of) => `add ${of.add()}`,
  (of) => {
    const { name } = anApplication(of)
    if (of.applications.size > 3) of.applications.delete(name)
    return `remove ${name}`
  },
  (of) => {
    const application = anApplication(of)
    if (application.path === 'charts/web') return 'move no chart'
    const moved = `${application.path.split('/')[0]}/moved-${of.newValue()}`
    for (const [file, text] of of.files) {
      if (!file.startsWith(`${application.path}/`)) continue
      of.files.delete(file)
      of.files.set(`${moved}${file.slice(application.path.length)}`, text)
    }
    application.path = moved
    return `move ${application.name} to ${moved}`
  },
  (of) => {
    const application = anApplication(of)
    application.syncPath = `${application.name}/${of.newValue()}`
    return `write ${application.name} to ${application.syncPath}`
  },
  (of) => {
    const application = anApplication(of)
    if (application.path !== 'charts/web') return 'set no parameter'
    const size = String(of.random.below(1000))
    Object.assign(application.source, {
      helm: {
        valueFiles: [`../../values/${application.name}.yaml`],
        parameters: [{ name: 'size', value: size }],
      },
    })
    return `set size of ${application.name} to ${size}`
  },
]
