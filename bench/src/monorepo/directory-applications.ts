import { application, environments, type MonorepoKind, type MonorepoPart } from './monorepo-application.ts'
import type { SeededRandom } from '@wadi/testing/seeded-random.ts'

/** Plain directories of 4 to 40 manifests in `plain/<name>`; the first is Jsonnet instead, the second one List. */
export function directoryApplications(count: number, random: SeededRandom): MonorepoPart {
  const files = new Map<string, string>()
  const applications = Array.from({ length: count }, (_, index) => {
    const name = `plain-${String(index).padStart(4, '0')}`
    const environment = environments[index % environments.length] ?? 'dev'
    const path = `plain/${name}`
    const kind: MonorepoKind = index === 0 ? 'jsonnet' : 'directory'
    if (index === 0) files.set(`${path}/main.jsonnet`, jsonnet)
    else if (index === 1) files.set(`${path}/all.yaml`, list)
    else {
      const manifests = random.integer(4, 40)
      for (let manifest = 0; manifest < manifests; manifest++) {
        const file = `${path}/${String(manifest).padStart(2, '0')}-settings.yaml`
        files.set(file, settings(`settings-${manifest}`, random))
      }
    }
    return application(environment, { name, kind, path, namespace: name })
  })
  return { files, applications }
}

function settings(name: string, random: SeededRandom): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
data:
  revision: "${random.integer(1, 99)}"
  limit: "${random.integer(1, 10_000)}"
`
}

const jsonnet = `local revision = "1";
local settings(name) = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: name },
  data: { revision: revision },
};
[settings('settings-' + number) for number in std.range(0, 9)]
`

const list = `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata:
      name: listed-settings
    data:
      revision: "1"
  - apiVersion: v1
    kind: ServiceAccount
    metadata:
      name: listed-account
`
