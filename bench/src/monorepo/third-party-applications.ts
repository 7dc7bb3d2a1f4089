import { application, environments, type MonorepoPart } from './monorepo-application.ts'
import type { SeededRandom } from '@wadi/testing/seeded-random.ts'

const charts = [
  { chart: 'ingress-proxy', version: '4.11.3', patch: '1.11' },
  { chart: 'certificate-issuer', version: '1.14.2', patch: '1.14' },
  { chart: 'message-broker', version: '8.0.1', patch: '3.13' },
] as const

/** The platform of each cluster: `platform/<cluster>/<chart>` is an umbrella over a vendored chart with the cluster's values. */
export function thirdPartyApplications(count: number, random: SeededRandom): MonorepoPart {
  const files = new Map<string, string>()
  const applications = Array.from({ length: count }, (_, index) => {
    const { chart, version, patch } = charts[index % charts.length] ?? charts[0]
    const clusterNumber = Math.floor(index / charts.length)
    const environment = environments[clusterNumber % environments.length] ?? 'dev'
    const cluster = `${environment}-${String(clusterNumber).padStart(4, '0')}`
    const path = `platform/${cluster}/${chart}`
    files.set(
      `${path}/Chart.yaml`,
      `apiVersion: v2
name: ${chart}-${cluster}
version: 1.0.0
dependencies:
  - name: ${chart}
    version: ${version}
    repository: file://../../../charts/${chart}
`,
    )
    files.set(
      `${path}/values.yaml`,
      `${chart}:
  image:
    tag: "${patch}.${random.integer(0, 9)}"
  replicas: ${random.integer(1, 5)}
  clusterName: ${cluster}
`,
    )
    files.set(`${path}/.argocd-source.yaml`, `helm:\n  releaseName: ${chart}\n`)
    return application(environment, {
      name: `${chart}-${cluster}`,
      kind: 'third-party',
      path,
      namespace: `platform-${chart}`,
    })
  })
  return { files, applications }
}
