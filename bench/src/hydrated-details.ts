import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CommitPathDetailsSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'

const objectsPerDirectory = 5

/** The content of one hydrated directory as the hydrator sends it; every edition differs in one field of each object. */
export function hydratedDetails(
  index: number,
  edition: number,
): MessageInitShape<typeof CommitPathDetailsSchema> {
  const name = `service-${String(index).padStart(5, '0')}`
  return {
    path: `applications/${name}`,
    manifests: Array.from({ length: objectsPerDirectory }, (_, number) =>
      JSON.stringify(deployment(`${name}-${number}`, edition)),
    ),
    readme: `# ${name} Manifests\n\nThese are the details of the most recent change:\n* Message: Edition ${edition}\n`,
    metadata: `${JSON.stringify({ repoURL: 'https://git.example.com/monorepo.git', edition, name }, undefined, 2)}\n`,
  }
}

function deployment(name: string, edition: number) {
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'storefront' }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'storefront', labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'main',
              image: `registry.example.com/${name}:1.0.${edition}`,
              env: [{ name: 'SERVICE_NAME', value: name }],
              ports: [{ containerPort: 8080, name: 'http' }],
              resources: { limits: { memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
            },
          ],
        },
      },
    },
  }
}
