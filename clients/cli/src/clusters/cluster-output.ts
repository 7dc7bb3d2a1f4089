import { ClusterSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import type { Cluster } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { messageObject } from '../output/message-output.ts'
import { printable } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'

/** The output formats of clusters. */
export type ClusterFormat = 'wide' | 'server' | 'name' | 'json' | 'yaml'

/** Returns the text of several clusters. */
export function clustersText(clusters: readonly Cluster[], format: ClusterFormat): string {
  if (format === 'server' || format === 'name') {
    return clusters.map((cluster) => `${printable(cluster[format])}\n`).join('')
  }
  if (format === 'wide') {
    const rows = clusters.map(({ server, name, namespaces, labels, project }) => [
      server,
      name,
      namespaces.length === 0 ? '*' : namespaces.join(','),
      pairs(labels),
      project,
    ])
    return tableText(['SERVER', 'NAME', 'NAMESPACES', 'LABELS', 'PROJECT'], rows)
  }
  const objects = clusters.map((cluster) => messageObject(ClusterSchema, cluster))
  return structuredText(objects, format)
}

/** Returns the text of one cluster. */
export function clusterText(cluster: Cluster, format: ClusterFormat): string {
  if (format === 'server' || format === 'name') return clustersText([cluster], format)
  if (format !== 'wide') return structuredText(messageObject(ClusterSchema, cluster), format)
  const { server, name, project, namespaces, labels, annotations } = cluster
  const lines: [string, string][] = [
    ['Server URL:', server],
    ['Server Name:', name],
    ['Project:', project],
    ['Namespaces:', namespaces.length === 0 ? '*' : namespaces.join(',')],
    ['Labels:', pairs(labels)],
    ['Annotations:', pairs(annotations)],
  ]
  const block = lines.map(([key, value]) => `  ${key.padEnd(23)}${printable(value)}`.trimEnd())
  return `Cluster information\n\n${block.join('\n')}\n`
}

function pairs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',')
}
