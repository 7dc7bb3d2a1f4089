import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MonorepoOptions } from './generate-monorepo.ts'
import { application, type MonorepoApplication, serviceAt } from './monorepo-application.ts'

/** The file of the base that `changeBase` changes. */
const baseDeployment = 'base/deployment.yaml'

/** Writes a repository in which each application is an overlay of one Kustomize base, as the tenants of a product are. */
export async function generateOverlays({
  directory,
  applications,
}: MonorepoOptions): Promise<MonorepoApplication[]> {
  const files = new Map([
    ['base/kustomization.yaml', base],
    [baseDeployment, deployment(0)],
    ['base/service.yaml', service],
  ])
  const overlays = Array.from({ length: applications }, (_, index) => {
    const { service: name, environment } = serviceAt(index, 'tenant')
    const place = `tenants/${name}-${environment}`
    files.set(`${place}/kustomization.yaml`, overlay(name, index))
    const details = {
      name: `${name}-${environment}`,
      kind: 'kustomize',
      path: place,
      namespace: name,
    } as const
    return application(environment, details)
  })
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true })
    await writeFile(path.join(directory, file), text)
  }
  return overlays
}

/** Releases the base as version `n`, which changes every overlay; returns the path of the changed file. */
export async function changeBase(directory: string, n: number): Promise<string> {
  await writeFile(path.join(directory, baseDeployment), deployment(n))
  return baseDeployment
}

const base = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - deployment.yaml
  - service.yaml
configMapGenerator:
  - name: settings
    literals:
      - mode=standard
`

function deployment(version: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: server
spec:
  replicas: 1
  selector:
    matchLabels:
      app: server
  template:
    metadata:
      labels:
        app: server
    spec:
      containers:
        - name: server
          image: registry.example.com/product:1.${version}.0
          ports:
            - name: http
              containerPort: 8080
          envFrom:
            - configMapRef:
                name: settings
`
}

const service = `apiVersion: v1
kind: Service
metadata:
  name: server
spec:
  selector:
    app: server
  ports:
    - name: http
      port: 80
      targetPort: http
`

function overlay(name: string, index: number): string {
  return `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: ${name}
resources:
  - ../../base
labels:
  - pairs:
      tenant: ${name}
    includeSelectors: true
configMapGenerator:
  - name: settings
    behavior: merge
    literals:
      - tenant=${name}
patches:
  - patch: |-
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: server
      spec:
        replicas: ${(index % 5) + 1}
`
}
