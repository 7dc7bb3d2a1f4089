import assert from 'node:assert/strict'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { memoryFiles } from './memory-files-fixture.ts'
import { planPackage } from './plan/plan-package.ts'
import type { PackagePlan, PlanOptions } from './plan/plan-package.ts'

/** A package in the directory `p` with one required component, whose YAML is given, indented by four. */
export function packageText(component: string, head = ''): string {
  return `kind: ZarfPackageConfig\nmetadata: {name: p}\n${head}components:\n  - name: c\n    required: true\n${component}`
}

/** A package whose only manifest, a template, is given; values are in `p/v.yaml`. */
export function templatePackage(template: string, values = 'a: {b: 1}\n'): Record<string, string> {
  const manifests = '    manifests: [{name: m, namespace: ns, template: true, files: [m.yaml]}]\n'
  return {
    'p/zarf.yaml': packageText(manifests, 'values: {files: [v.yaml]}\n'),
    'p/v.yaml': values,
    'p/m.yaml': template,
  }
}

/** Plans the package in the directory `p` of some files. */
export function planOf(
  content: Readonly<Record<string, string>>,
  options: PlanOptions = {},
): Promise<PackagePlan> {
  return planPackage(memoryFiles(content), 'p', options)
}

/** Returns the text of all manifests of a plan. */
export function manifestsOf({ items }: PackagePlan): string {
  return items
    .flatMap((item) => (item.kind === 'manifests' ? item.files.map(({ text }) => text) : []))
    .join('---\n')
}

/** Returns the manifests of the package in the directory `p`. */
export async function renderOf(
  content: Readonly<Record<string, string>>,
  options: PlanOptions = {},
): Promise<string> {
  return manifestsOf(await planOf(content, options))
}

/** Returns the message with which the package in the directory `p` is refused. */
export async function rejectionOf(
  content: Readonly<Record<string, string>>,
  options: PlanOptions = {},
): Promise<string> {
  const failure = await planOf(content, options).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  assert.ok(failure instanceof DomainError, `the package is refused, not ${String(failure)}`)
  return failure.message
}
