import { application, environments, type MonorepoPart, serviceAt } from './monorepo-application.ts'
import type { SeededRandom } from '@wadi/testing/seeded-random.ts'

/**
 * Services with a Kustomize base and an overlay per environment, in `kustomize/<service>`. One in twenty takes a
 * component that all share, one in twenty copies a field by a replacement.
 */
export function kustomizeApplications(count: number, random: SeededRandom): MonorepoPart {
  const files = new Map([
    ['kustomize/components/tracing/kustomization.yaml', tracingComponent],
    ['kustomize/components/tracing/deployment-patch.yaml', tracingPatch],
  ])
  let extra = ''
  const applications = Array.from({ length: count }, (_, index) => {
    const { service, environment } = serviceAt(index, 'web')
    const directory = `kustomize/${service}`
    if (environment === environments[0]) {
      const choice = random.integer(1, 20)
      extra = choice === 1 ? component : choice === 2 ? replacement : ''
      files.set(`${directory}/base/kustomization.yaml`, base(service))
      files.set(`${directory}/base/deployment.yaml`, deployment(random))
      files.set(`${directory}/base/service.yaml`, networkService)
      files.set(
        `${directory}/base/application.properties`,
        `greeting=hello\nworkers=${random.integer(1, 16)}\n`,
      )
    }
    const path = `${directory}/overlays/${environment}`
    files.set(`${path}/kustomization.yaml`, overlay(service, environment, random) + extra)
    files.set(`${path}/deployment-patch.yaml`, deploymentPatch(random))
    return application(environment, {
      name: `${service}-${environment}`,
      kind: 'kustomize',
      path,
      namespace: `${service}-${environment}`,
    })
  })
  return { files, applications }
}

function base(service: string): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: ${service}-
labels:
  - pairs:
      app.kubernetes.io/name: ${service}
    includeSelectors: true
resources:
  - deployment.yaml
  - service.yaml
configMapGenerator:
  - name: settings
    envs:
      - application.properties
`
}

function deployment(random: SeededRandom): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: server
spec:
  replicas: 1
  template:
    spec:
      containers:
        - name: server
          image: web
          ports:
            - name: http
              containerPort: ${random.integer(3000, 9000)}
          envFrom:
            - configMapRef:
                name: settings
`
}

const networkService = `apiVersion: v1
kind: Service
metadata:
  name: server
spec:
  ports:
    - name: http
      port: 80
      targetPort: http
`

function overlay(service: string, environment: string, random: SeededRandom): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: ${service}-${environment}
resources:
  - ../../base
labels:
  - pairs:
      environment: ${environment}
images:
  - name: web
    newName: registry.example.com/${service}
    newTag: "2.${random.integer(0, 30)}.${random.integer(0, 9)}"
configMapGenerator:
  - name: settings
    behavior: merge
    literals:
      - environment=${environment}
patches:
  - path: deployment-patch.yaml
`
}

function deploymentPatch(random: SeededRandom): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: server
spec:
  replicas: ${random.integer(1, 6)}
  template:
    spec:
      containers:
        - name: server
          resources:
            requests:
              cpu: ${random.integer(1, 20) * 25}m
              memory: ${random.integer(1, 8) * 64}Mi
`
}

const component = `components:
  - ../../../components/tracing
`

const replacement = `replacements:
  - source:
      kind: Service
      fieldPath: metadata.name
    targets:
      - select:
          kind: Deployment
        fieldPaths:
          - spec.template.metadata.annotations.[example.com/service]
        options:
          create: true
`

const tracingComponent = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
  - path: deployment-patch.yaml
    target:
      kind: Deployment
`

const tracingPatch = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: any
spec:
  template:
    spec:
      containers:
        - name: server
          env:
            - name: TRACE_ENDPOINT
              value: http://tracing.monitoring:4317
`
