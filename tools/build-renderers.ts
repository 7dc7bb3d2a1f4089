import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rendererPrograms } from '@wadi/testing/renderers/renderer-programs.ts'
import { buildGoProgram } from './go-program.ts'

// `npm run build:renderers`: builds versions of Helm and Kustomize that Wadi does not bring, once for each machine and user. Takes 4 minutes
// on two idle cores. They say their version as released ones do, which those that `go install` builds do not.

const { helm4, helm3, kustomize } = rendererPrograms

await build(helm4, 'helm.sh/helm/v4', '/cmd/helm', ({ version }) => ({
  'helm.sh/helm/v4/internal/version.version': version,
}))
await build(helm3, 'helm.sh/helm/v3', '/cmd/helm', ({ version, kubernetesMinor }) => ({
  'helm.sh/helm/v3/internal/version.version': version,
  'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
  'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': kubernetesMinor,
}))
await build(kustomize, 'sigs.k8s.io/kustomize/kustomize/v5', '', ({ version }) => ({
  'sigs.k8s.io/kustomize/api/provenance.version': version,
}))

interface ModuleVersions {
  readonly version: string
  /** As their release scripts take it: that of Kubernetes 1.37 is v0.37. */
  readonly kubernetesMinor: string
}

async function build(
  program: (typeof rendererPrograms)['helm4'],
  module: string,
  command: string,
  variables: (versions: ModuleVersions) => Record<string, string>,
): Promise<void> {
  const modules = readFileSync(path.join(program.sources, 'go.mod'), 'utf8')
  const versionOf = (name: string): string =>
    modules
      .split('\n')
      .map((line) => line.trim().split(' '))
      .find(([first]) => first === name)?.[1] ?? ''
  const version = versionOf(module)
  const kubernetesMinor = versionOf('k8s.io/client-go').split('.')[1] ?? ''
  const values = Object.entries(variables({ version, kubernetesMinor }))
  await buildGoProgram({
    program,
    package: `${module}${command}`,
    begins: `building ${program.title} (${version}) from its Go modules, about 2 minutes`,
    linker: values.map(([name, value]) => `-X ${name}=${value}`).join(' '),
  })
}
