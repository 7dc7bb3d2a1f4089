import { application, environments, type MonorepoPart, serviceAt } from './monorepo-application.ts'
import type { SeededRandom } from '@wadi/testing/seeded-random.ts'

/**
 * Services deployed with the in-house chart. `apps/<environment>/<service>` is an umbrella over `charts/microservice`;
 * the values lie in `services/<service>`: shared ones, and one file per environment.
 */
export function inHouseApplications(count: number, random: SeededRandom): MonorepoPart {
  const files = new Map<string, string>()
  const applications = Array.from({ length: count }, (_, index) => {
    const { service, environment } = serviceAt(index, 'service')
    const path = `apps/${environment}/${service}`
    files.set(`${path}/Chart.yaml`, umbrellaChart(service))
    files.set(`${path}/.argocd-source.yaml`, sourceOverrides(service, environment))
    if (environment === environments[0]) {
      files.set(`services/${service}/values.yaml`, serviceValues(service, teamOf(index), random))
    }
    files.set(
      `services/${service}/values-${environment}.yaml`,
      environmentValues(service, environment, random),
    )
    return application(environment, {
      name: `${service}-${environment}`,
      kind: 'helm',
      path,
      namespace: teamOf(index),
    })
  })
  return { files, applications }
}

function umbrellaChart(service: string): string {
  return `apiVersion: v2
name: ${service}
version: 1.0.0
dependencies:
  - name: microservice
    version: 3.2.0
    repository: file://../../../charts/microservice
`
}

function sourceOverrides(service: string, environment: string): string {
  return `helm:
  releaseName: ${service}
  valueFiles:
    - ../../../services/${service}/values.yaml
    - ../../../services/${service}/values-${environment}.yaml
`
}

function teamOf(index: number): string {
  return `team-${Math.floor(index / environments.length) % 12}`
}

function serviceValues(service: string, team: string, random: SeededRandom): string {
  return `microservice:
  image:
    repository: registry.example.com/${service}
  port: ${random.integer(3000, 9000)}
  team: ${team}
  config:
    SERVICE_NAME: ${service}
    CACHE_SECONDS: "${random.integer(1, 600)}"
  networkPolicy:
    allowFrom: [ingress${random.chance(0.3) ? ', batch' : ''}]
  rbac:
    enabled: ${random.chance(0.4)}
`
}

function environmentValues(service: string, environment: string, random: SeededRandom): string {
  const production = environment === 'prod'
  return `microservice:
  image:
    tag: "1.${random.integer(0, 40)}.${random.integer(0, 20)}"
  replicas: ${production ? random.integer(2, 8) : 1}
  config:
    LOG_LEVEL: ${production ? 'info' : 'debug'}
  ingress:
    enabled: ${random.chance(0.6)}
    host: ${service}.${environment}.example.com
  autoscaling:
    enabled: ${production && random.chance(0.5)}
  disruptionBudget:
    enabled: ${production}
  monitoring:
    enabled: ${random.chance(0.7)}
`
}
