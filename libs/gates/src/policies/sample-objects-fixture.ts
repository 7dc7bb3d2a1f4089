import type { Manifest } from '@wadi/manifests/manifest.ts'

/** A ConfigMap of the namespace `shop`. */
export function configMap(data: Manifest, metadata: Manifest = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    data,
  }
}

/** A Deployment of the namespace `shop` with one container. */
export function deployment(container: Manifest, spec: Manifest = {}): Manifest {
  const metadata = { labels: { app: 'web' } }
  const containers = [{ name: 'web', image: 'web:1.0', ...container }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata, spec: { containers } },
      ...spec,
    },
  }
}
