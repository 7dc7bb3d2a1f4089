import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'

/** Returns the sources of the spec of an Application that is not hydrated, those of `source` before those of `sources`. */
export function plainSources({ source, sources }: Readonly<Record<string, unknown>>): DrySource[] {
  return [source, ...(Array.isArray(sources) ? (sources as unknown[]) : [])].flatMap(plainSource)
}

function plainSource(value: unknown): DrySource[] {
  if (!isJsonObject(value)) return []
  const text = (field: string): string => {
    const found = value[field]
    return typeof found === 'string' ? found : ''
  }
  const object = (field: string) => {
    const found = value[field]
    return isJsonObject(found) ? { [field]: found } : {}
  }
  const [chart, ref] = [text('chart'), text('ref')]
  return [
    {
      repoURL: text('repoURL'),
      targetRevision: text('targetRevision') || 'HEAD',
      path: text('path'),
      ...(chart !== '' && { chart }),
      ...(ref !== '' && { ref }),
      ...object('helm'),
      ...object('kustomize'),
      ...object('directory'),
      ...object('plugin'),
    },
  ]
}
