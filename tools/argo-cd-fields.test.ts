import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DescMessage } from '@bufbuild/protobuf'
import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { readRepositorySecret, repositorySecretWarnings } from '@wadi/repositories/repository-secret.ts'
import { sourceOptionFields } from '@wadi/resources/application/source-fields.ts'
import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { readClusterSecret } from '@wadi/resources/cluster-secret.ts'
import { settingsWarnings } from '@wadi/resources/settings-warnings.ts'
import { projectWarnings } from '@wadi/resources/project/project-warnings.ts'
import { readFields } from './argo-cd-fields.ts'

const root = join(import.meta.dirname, '..')

/** The messages of our contracts with Argo CD, by their names. */
async function messages(): Promise<Map<string, DescMessage>> {
  const found = new Map<string, DescMessage>()
  for (const file of globSync('libs/protocol/src/gen/argocd/v1alpha1/*.ts', { cwd: root })) {
    const exported = Object.values((await import(join(root, file))) as Record<string, unknown>)
    for (const one of exported) {
      if (isMessage(one)) found.set(one.name, one)
    }
  }
  return found
}

function isMessage(value: unknown): value is DescMessage {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'message'
}

/** The text of everything that reads settings. */
const sources = globSync(['libs/*/src/**/*.ts', 'services/*/src/**/*.ts'], {
  cwd: root,
  exclude: ['**/gen/**', '**/*.test.ts', '**/*fixture.ts'],
})
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

const options: Readonly<Record<string, object>> = {
  ApplicationSourceHelm: sourceOptionFields.helm,
  ApplicationSourceKustomize: sourceOptionFields.kustomize,
  ApplicationSourceDirectory: sourceOptionFields.directory,
}

/** Returns Wadi's treatment of a field: reads it, says that it has no effect, refuses it, or does not know it. */
function said(known: Map<string, DescMessage>, kind: string, field: string): string {
  if (kind === 'Secret-repository' || kind === 'Secret-repo-creds') return ofSecret(kind.slice(7), field)
  if (kind === 'Secret-cluster') return ofCluster(field)
  if (kind === 'argocd-cm' && warnsOf(field)) return 'warned'
  if (kind.startsWith('argocd-')) return sources.includes(`'${field}'`) ? 'read' : 'not-read'
  const isKnown = known.get(kind)?.fields.some(({ jsonName }) => jsonName === field) === true
  if (!isKnown) return 'unknown'
  if (Object.hasOwn(options, kind)) return Object.hasOwn(options[kind] ?? {}, field) ? 'read' : 'refused'
  if (kind === 'AppProjectSpec')
    return outcome(projectWarnings({ spec: { [field]: [{}] } }), `spec.${field} `)
  if (kind === 'ApplicationSpec')
    return outcome(applicationWarnings({ spec: { [field]: {} } }), `spec.${field} `)
  if (kind.endsWith('Generator')) return ofGenerator(kind, field)
  return 'read'
}

/** Keys of versions have a version at their end. */
function warnsOf(key: string): boolean {
  const map = (data: Record<string, string>) => ({ kind: 'ConfigMap', metadata: { name: 'argocd-cm' }, data })
  return (
    settingsWarnings(map({ [key]: 'x' })).length + settingsWarnings(map({ [`${key}.v1`]: 'x' })).length > 0
  )
}

function outcome(warnings: readonly string[], start: string): string {
  return warnings.some((warning) => warning.startsWith(start)) ? 'warned' : 'read'
}

function ofSecret(type: string, field: string): string {
  const sample = /^(?:insecure|enable|force|use|webhook)/.test(field)
    ? 'true'
    : /ID$|^depth$/.test(field)
      ? '1'
      : 'x'
  const stringData = { url: 'https://git.example.com/a.git', ...(field !== 'url' && { [field]: sample }) }
  const labels = { 'argocd.argoproj.io/secret-type': type }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', labels }, stringData }
  const warnings = repositorySecretWarnings(readRepositorySecret(secret))
  if (warnings.some((warning) => warning.startsWith('unknown field'))) return 'unknown'
  return outcome(warnings, `${field} `)
}

function ofCluster(field: string): string {
  const without = readClusterSecret({ stringData: {} })
  const given = readClusterSecret({ stringData: { [field]: 'https://x' } })
  return JSON.stringify(without) === JSON.stringify(given) ? 'not-read' : 'read'
}

function ofGenerator(kind: string, field: string): string {
  const outer = { SCMProviderGenerator: 'scmProvider', PullRequestGenerator: 'pullRequest' }[kind]
  const generator = outer === undefined ? { [field]: {} } : { [outer]: { [field]: {} } }
  const isNested = kind === 'ApplicationSetNestedGenerator'
  const generators = [isNested ? { matrix: { generators: [generator] } } : generator]
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'a' } }
  try {
    parseApplicationSet({ ...set, spec: { generators, template: {} } })
    return 'read'
  } catch (error) {
    return errorMessage(error).includes('is not supported') ? 'refused' : 'read'
  }
}

test("Wadi does with every field of Argo CD's objects what the list says", async () => {
  const known = await messages()
  const fields = readFields()
  assert.ok(fields.size > 500, `${fields.size} fields`)
  const wrong = [...fields].flatMap(([name, stated]) => {
    const [kind = '', field = ''] = name.split(' ')
    const is = said(known, kind, field)
    return is === stated ? [] : [`${name} ${is} (the list: ${stated})`]
  })
  assert.deepEqual(wrong, [])
})
