import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOf, formatFinding } from './lint/finding.ts'
import { lintPackage } from './lint/lint-package.ts'
import { memoryFiles } from './memory-files-fixture.ts'
import { packageText } from './package-fixture.ts'

/** Files by their paths; the package is in the directory `p`. */
type Files = Record<string, string>

/** The head of a package with values. */
export const defaults = 'values: {files: [v.yaml]}\n'
/** The head of a package with values and a schema. */
export const withSchema = 'values: {files: [v.yaml], schema: s.json}\n'
const chartFiles = { 'p/chart/Chart.yaml': 'apiVersion: v2\nname: ch\nversion: 1.0.0\n' }

/** A package of its definition alone. */
export const definition = (text: string): Files => ({ 'p/zarf.yaml': text })

/** A package with one manifest, a template. */
export const template = (text: string): Files => ({
  'p/zarf.yaml': packageText(
    '    manifests: [{name: m, namespace: n, template: true, files: [m.yaml]}]\n',
    defaults,
  ),
  'p/v.yaml': 'a: {b: 1, none: null}\n',
  'p/m.yaml': text,
})

/** A package with one chart and what is mapped into it. */
export const mapping = (text: string): Files => ({
  ...chartFiles,
  'p/zarf.yaml': packageText(
    `    charts: [{name: ch, namespace: n, localPath: chart, values: [${text}]}]\n`,
    defaults,
  ),
  'p/v.yaml': 'a: {b: 1}\n',
})

/** A package with one chart and its other fields. */
export const chart = (text: string): Files => ({
  ...chartFiles,
  'p/zarf.yaml': packageText(`    charts: [{name: ch${text}}]\n`),
})

/** A package with one action. */
export const action = (text: string, stage = 'onDeploy'): Files => ({
  'p/zarf.yaml': packageText(`    actions: {${stage}: {before: [${text}]}}\n`, defaults),
  'p/v.yaml': 'a: 1\n',
})

/** A package that names one values file. */
export const valuesFile = (name: string, files: Files = {}): Files => ({
  'p/zarf.yaml': packageText('', `values: {files: ["${name}"]}\n`),
  ...files,
})

/** A package with this schema. */
export const schema = (text: string): Files => ({
  'p/zarf.yaml': packageText('', withSchema),
  'p/v.yaml': 'a: {b: 1}\nversion: x\nn: 1\n',
  'p/s.json': text,
})

/** A package with what its configuration says of its deployment. */
export const configured = (text: string): Files => ({
  'p/zarf.yaml': packageText('', defaults),
  'p/v.yaml': 'a: 1\n',
  'p/zarf-config.yaml': `package: {deploy: {${text}}}\n`,
})

/** A package of v1beta1 with one component. */
export const beta = (component: string, head = ''): Files => ({
  ...chartFiles,
  'p/zarf.yaml': `apiVersion: zarf.dev/v1beta1\nkind: ZarfPackageConfig\nmetadata: {name: p}\n${head}components:\n  - name: c\n${component}`,
  'p/v.yaml': 'a: {b: 1}\n',
})

/** The rejected thing, the files, and the beginning of each line of the message. */
type Rejection = [what: string, files: Files, ...lines: string[]]

/** Returns what is wrong with a package, one line for each error. */
export async function linesOf(files: Files): Promise<string[]> {
  return errorsOf(await lintPackage(memoryFiles(files), 'p')).map(formatFinding)
}

/** Tests that packages are refused with these lines and no other. */
export function testRejections(rejections: readonly Rejection[]): void {
  for (const [what, files, ...expected] of rejections) {
    test(`${what} is refused with its place`, async () => {
      const lines = await linesOf(files)
      assert.equal(lines.length, expected.length, lines.join('\n'))
      for (const [index, start] of expected.entries()) {
        assert.ok(lines[index]?.startsWith(start), `${lines[index]}\ndoes not begin with\n${start}`)
      }
    })
  }
}
