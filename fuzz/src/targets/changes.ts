import { create } from '@bufbuild/protobuf'
import { summarize } from '@wadi/changes/applications/summary.ts'
import type { NoiseRule } from '@wadi/changes/noise/noise-rules.ts'
import { readNoiseRules } from '@wadi/changes/noise/read-noise-rules.ts'
import { compareManifests } from '@wadi/changes/objects/compare-manifests.ts'
import { htmlReport } from '@wadi/changes/report/html-report.ts'
import { markdownReport } from '@wadi/changes/report/markdown-report.ts'
import { textReport } from '@wadi/changes/report/text-report.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { ApplicationChangesSchema } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type Target, textBase } from '../target.ts'

const rules = `diff:
  ignore:
    - labels: [helm.sh/chart, 'app.*']
      annotations: ['checksum/*']
    - {group: apps, kind: Deployment, namespace: 's*', name: '{web,api}', jsonPointers: [/spec/template/spec/containers/*/image]}
`

const manifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {helm.sh/chart: web-1}, annotations: {checksum/config: abc}}
spec: {replicas: 1, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'web:1'}]}}}
---
apiVersion: v1
kind: Secret
metadata: {name: web-6ct58987ht, namespace: shop}
data: {password: Zmlyc3Q=}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: shop}
data: {text: "one\\ntwo\\n"}
`

/** Compares the manifests with others and writes every report of it. */
function report(text: string, noise: readonly NoiseRule[]): void {
  const [before, after] = [manifests, text].map((one) => parseManifests(one, { file: 'fuzz.yaml' }))
  const options = { rules: noise, hashKey: Buffer.alloc(32), budget: { left: 1_000_000 } }
  const { objects, ignored } = compareManifests(before ?? [], after ?? [], options)
  const application = create(ApplicationChangesSchema, { name: 'web', outcome: 'changed', objects, ignored })
  const summary = summarize([application], { applications: 1 })
  const whole = { applications: [application], summary, before: 'before', after: 'after' }
  for (const _ of textReport(whole)) continue
  for (const _ of htmlReport(whole)) continue
  if (markdownReport(whole).length > 60_000) throw new Error('the comment is too long')
  // A mutated object may be no Secret any more; the one before it is.
  const isShown = objects.some(({ before: shown }) => shown.includes('Zmlyc3Q'))
  if (isShown) throw new Error('the value of a Secret is shown')
}

/** The comparison of manifests, and the rules for what is not compared. */
export const changeTargets: readonly Target[] = [
  {
    name: 'noise-rules',
    bases: [textBase('wadi.yaml', rules)],
    read: (input) => report(manifests.replaceAll('web', 'api'), readNoiseRules(input, 'wadi.yaml')),
  },
  {
    name: 'compared-manifests',
    bases: [textBase('manifest.yaml', manifests)],
    read: (input) => report(input.toString(), readNoiseRules(Buffer.from(rules), 'wadi.yaml')),
  },
]
