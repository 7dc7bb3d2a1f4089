import type { Location } from '@wadi/errors/location.ts'
import type { Finding } from '../lint/finding.ts'
import { flagOf, itemsOf, partOf } from './located-tree.ts'
import type { Chart, Component, ManifestSet, ZarfPackage } from './zarf-package.ts'

/** The longest name of a chart or of a set of manifests. */
const maxNameLength = 40

const releaseName = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const maxReleaseNameLength = 63

type Report = (message: string, at: Location) => void

/** Adds a finding for everything that Zarf's own validation refuses in a package, in its words. */
export function validatePackage(zarfPackage: ZarfPackage, findings: Finding[]): void {
  const report: Report = (message, at) => findings.push({ severity: 'error', message, at })
  const { components } = zarfPackage
  if (components.length === 0) {
    report('package does not contain any compatible components', zarfPackage.tree.at)
  }
  reportRepeated(components, (name) => `component name "${name}" is not unique`, report)
  for (const component of components) {
    validateComponent(component, report)
  }
  const groups = Map.groupBy(
    components.filter(({ group }) => group !== ''),
    ({ group }) => group,
  )
  for (const [group, members] of groups) {
    const [first, second] = members.filter(({ isDefault }) => isDefault)
    const [only] = members
    if (first !== undefined && second !== undefined) {
      report(`group "${group}" has multiple defaults ("${first.name}", "${second.name}")`, second.tree.at)
    }
    if (members.length === 1 && only !== undefined) {
      report(`group "${group}" only has one component ("${only.name}")`, only.tree.at)
    }
  }
}

function reportRepeated(
  items: readonly { name: string; at?: Location; tree?: { at: Location } }[],
  message: (name: string) => string,
  report: Report,
): void {
  const seen = new Set<string>()
  for (const { name, at, tree } of items) {
    const place = at ?? tree?.at
    if (seen.has(name) && place !== undefined) {
      report(message(name), place)
    }
    seen.add(name)
  }
}

function validateComponent(component: Component, report: Report): void {
  const { name, tree } = component
  if (component.isRequired && component.isDefault) {
    report(`component "${name}" cannot be both required and default`, tree.at)
  }
  if (component.isRequired && component.group !== '') {
    report(`component "${name}" cannot be both required and grouped`, tree.at)
  }
  reportRepeated(component.charts, (chart) => `chart name "${chart}" is not unique`, report)
  reportRepeated(component.manifests, (manifest) => `manifest name "${manifest}" is not unique`, report)
  for (const chart of component.charts) {
    validateChart(chart, (message, at) => report(`invalid chart definition: ${message}`, at))
  }
  for (const manifest of component.manifests) {
    validateManifest(manifest, (message, at) => report(`invalid manifest definition: ${message}`, at))
  }
  validateActions(component, report)
}

function validateChart(chart: Chart, report: Report): void {
  const { name, at } = chart
  if (name.length > maxNameLength) {
    report(`chart "${name}" exceed the maximum length of ${maxNameLength} characters`, at)
  }
  if (chart.namespace === '') {
    report(`chart "${name}" must include a namespace`, at)
  }
  if ((chart.url === '') === (chart.localPath === '')) {
    report(`chart "${name}" must have either a url or localPath`, at)
  }
  if (chart.url !== '' && chart.localPath === '' && chart.version === '') {
    report(`chart "${name}" must include a chart version`, at)
  }
  const release = chart.releaseName || name
  if (release.length > maxReleaseNameLength || !releaseName.test(release)) {
    report(
      `invalid release name '${release}': up to ${maxReleaseNameLength} lower case letters, digits and '-', beginning ` +
        'with a letter and ending with a letter or digit',
      at,
    )
  }
  for (const { sourcePath, excludePaths, at: place } of chart.values) {
    for (const path of excludePaths) {
      const isInside = sourcePath === '.' ? path !== '.' : path.startsWith(`${sourcePath}.`)
      if (!isInside) {
        report(
          `chart "${name}" excludePath "${path}" must be a descendant of sourcePath "${sourcePath}"`,
          place,
        )
      }
    }
  }
}

function validateManifest(manifest: ManifestSet, report: Report): void {
  if (manifest.name.length > maxNameLength) {
    report(
      `manifest "${manifest.name}" exceed the maximum length of ${maxNameLength} characters`,
      manifest.at,
    )
  }
  if (manifest.files.length + manifest.kustomizations.length === 0) {
    report(`manifest "${manifest.name}" must have at least one file or kustomization`, manifest.at)
  }
}

function validateActions({ name, tree }: Component, report: Report): void {
  for (const operation of ['onCreate', 'onDeploy', 'onRemove']) {
    for (const list of ['before', 'after', 'onSuccess', 'onFailure']) {
      for (const action of itemsOf(partOf(tree, 'actions', operation, list))) {
        const refuse = (message: string): void => report(`"${name}": ${message}`, action.at)
        const wait = partOf(action, 'wait')
        if (wait !== undefined && partOf(action, 'cmd') !== undefined) {
          refuse('invalid action: an action cannot be both a command and wait action')
        }
        if (
          wait !== undefined &&
          (partOf(wait, 'cluster') === undefined) === (partOf(wait, 'network') === undefined)
        ) {
          refuse('invalid action: a single wait action must contain only one of cluster or network')
        }
        if (operation !== 'onDeploy' && itemsOf(partOf(action, 'setVariables')).length > 0) {
          refuse('cannot contain setVariables outside of onDeploy in actions')
        }
        if (operation === 'onCreate' && flagOf(action, 'template')) {
          refuse('templating is not supported in onCreate actions')
        }
        if (operation === 'onCreate' && itemsOf(partOf(action, 'setValues')).length > 0) {
          refuse('setValues is not supported in onCreate actions, which run before there are values')
        }
        for (const setting of itemsOf(partOf(action, 'setValues'))) {
          validateSetValue(setting, report)
        }
      }
    }
  }
}

function validateSetValue(setting: ReturnType<typeof itemsOf>[number], report: Report): void {
  const key = partOf(setting, 'key')
  const path = partOf(setting, 'path')
  if ((key === undefined) === (path === undefined)) {
    report('setValues needs exactly one of key, with a dot in front, and path', setting.at)
  } else if (typeof key?.value === 'string' && !key.value.startsWith('.')) {
    report(`setValues key "${key.value}" must begin with a dot: write .${key.value}`, key.at)
  }
}
