import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { type DryRun, dryRun } from '@wadi/testing/kubernetes-plane/dry-run.ts'
import { KubernetesPlane } from '@wadi/testing/kubernetes-plane/kubernetes-plane.ts'
import { plane as planeProgram } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { enforcedRulesFile } from './kubernetes-schemas/enforced-rules.ts'
import { ruleSites, type RuleSite } from './kubernetes-schemas/rule-sites.ts'
import { readEnumerations } from './kubernetes-schemas/read-enumerations.ts'

// `node tools/measure-kubernetes-rules.ts`: asks the real API server of `npm run build:plane` which of the required fields and enumerations
// of Kubernetes' published schemas it enforces, and writes tools/kubernetes-schemas/enforced-rules.txt. The objects are those that
// Kubernetes' own tests have for each kind, with a value in every field. Takes 2 minutes and needs Go, which says where the modules are.

/** Fields by which admission rejects an object before it is validated. */
const unwantedFields = new Set([
  'overhead',
  'preemptionPolicy',
  'priority',
  'priorityClassName',
  'runtimeClassName',
  'status',
])

const [kubernetes = '', api = ''] = (
  await promisify(execFile)('go', ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/kubernetes', 'k8s.io/api'], {
    cwd: planeProgram.sources,
  })
).stdout.split('\n')
const swagger = JSON.parse(await readFile(path.join(kubernetes, 'api/openapi-spec/swagger.json'), 'utf8'))
const generated = await readFile(
  path.join(kubernetes, 'pkg/generated/openapi/zz_generated.openapi.go'),
  'utf8',
)
const enumerations = readEnumerations(generated)

const measured = new Map<string, boolean>()
await using plane = await KubernetesPlane.start()
const ownSamples = path.resolve(import.meta.dirname, '../libs/gates/src/schemas/testdata/objects.yaml')
const samples = path.join(api, 'testdata/HEAD')
// WatchEvent is no object.
const names = (await readdir(samples)).filter(
  (file) => file.endsWith('.yaml') && !file.includes('WatchEvent'),
)
for (const file of [ownSamples, ...names.map((name) => path.join(samples, name))]) {
  for (const object of parseManifests(await readFile(file, 'utf8'), { file })) {
    await measureKind(withoutUnwanted(object))
  }
}
const lines = [...measured].flatMap(([rule, isEnforced]) => (isEnforced ? [rule] : [])).toSorted()
await writeFile(enforcedRulesFile, `${lines.join('\n')}\n`)
console.log(`${lines.length} of ${measured.size} rules are enforced`)

async function measureKind(object: Manifest): Promise<void> {
  const { status, message } = await verdict(object)
  if (status === 0) return
  if (status >= 400 && status !== 422) console.log(status, message)
  for (const site of ruleSites(object, swagger.definitions, enumerations)) {
    const { rule, definition, field, valid, invalid } = site
    const [enforced, emptyToo] = [`${rule} ${definition} ${field}`, `not-empty ${definition} ${field}`]
    // An empty value may be wrong by another field of the sample.
    const isKnown = measured.get(enforced) === true && measured.get(emptyToo) !== true
    if (isKnown) continue
    const before = await verdict(site.withValue(valid))
    const after = await verdict(site.withValue(invalid))
    const isEnforced = isNewAt(before, after, site)
    measured.set(enforced, isEnforced || measured.get(enforced) === true)
    if (rule === 'required' || !isEnforced) continue
    const isRejected = isNewAt(before, await verdict(site.withValue('')), site)
    measured.set(emptyToo, isRejected && measured.get(emptyToo) !== false)
  }
}

/** True if the server finds something else wrong with a place than before; of a missing field also in it, of an item also with its list. */
function isNewAt(before: DryRun, after: DryRun, { rule, path: place }: RuleSite): boolean {
  const known = new Set(before.causes.map(({ reason, field }) => `${reason} ${field}`))
  return after.causes.some(({ reason, field = '' }) => {
    const isInside = rule === 'required' && ['.', '['].some((next) => field.startsWith(`${place}${next}`))
    const isAt = field === place || isInside || (rule === 'enum' && field === place.replace(/\[\d+\]$/, ''))
    return isAt && !known.has(`${reason} ${field}`)
  })
}

async function verdict(object: Manifest): Promise<DryRun> {
  const { apiVersion, kind } = object
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw new Error('a sample has no kind')
  // A CustomResourceDefinition must have the name that it has.
  const isDefinition = kind === 'CustomResourceDefinition'
  const metadata = isDefinition ? object['metadata'] : { name: 'web', namespace: 'default' }
  return dryRun(plane, { ...object, apiVersion, kind, metadata })
}

function withoutUnwanted<Value extends JsonValue>(value: Value): Value
function withoutUnwanted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutUnwanted(item))
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([field]) => !unwantedFields.has(field))
  return Object.fromEntries(kept.map(([field, item]) => [field, withoutUnwanted(item)]))
}
