import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generateMonorepo, type MonorepoOptions } from './generate-monorepo.ts'
import type { MonorepoApplication } from './monorepo-application.ts'

const gates = ['secrets', 'api-versions', 'schemas', 'policies']

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: labels }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps, services] }
  validations: [{ expression: 'has(object.metadata.name)' }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: labels }
spec: { policyName: labels, validationActions: [Audit] }
`

/** Writes the monorepo with all gates on. They report and never deny, so that it is hydrated as without them. */
export async function generateGated(options: MonorepoOptions): Promise<MonorepoApplication[]> {
  const generated = await generateMonorepo(options)
  const { directory } = options
  const severities = gates.map((gate) => `${gate}: audit`).join(', ')
  await writeFile(path.join(directory, 'wadi.yaml'), `gates: {${severities}}\npolicies: [policies.yaml]\n`)
  await writeFile(path.join(directory, 'policies.yaml'), policy)
  return generated
}

/** Writes the same and returns the applications of the first branch alone. */
export async function generateGatedBranch(options: MonorepoOptions): Promise<MonorepoApplication[]> {
  const generated = await generateGated(options)
  return generated.filter(({ branch }) => branch === generated[0]?.branch)
}
