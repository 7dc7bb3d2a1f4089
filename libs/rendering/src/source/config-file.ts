import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { lineAt } from '@wadi/manifests/source-line.ts'
import { type YamlSource, locationOf, offsetOfPath, placeOf } from '@wadi/manifests/yaml-source.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'

/** Largest file of a tool's settings (Chart.yaml, kustomization.yaml, .argocd-source.yaml) that is read, in bytes. */
export const maxConfigFileBytes = 1024 * 1024

/** A settings file with the value that Helm and Kustomize would see. */
export interface ConfigFile {
  readonly file: string
  readonly value: unknown
  /** The place of its value in the text; undefined for an empty file. */
  readonly source: YamlSource
  readonly eventIndex: number
}

/**
 * Reads one YAML or JSON document; an empty file is an empty object.
 * @param file names it in messages where that differs from `path`
 * @throws InvalidInputError naming file and line
 */
export async function readConfigFile(tree: FileTree, path: string, file = path): Promise<ConfigFile> {
  const text = fileText(await tree.read(path, maxConfigFileBytes), file)
  const [first, second] = parseConfigs(text, file)
  if (second !== undefined) {
    throw new InvalidInputError(`${placeOfField(second, [])}: a second document; keep one in this file`)
  }
  return first ?? { file, value: {}, source: { file, text, events: [] }, eventIndex: 0 }
}

/** Parses every YAML document that is not empty. @throws InvalidInputError naming file and line */
export function parseConfigs(text: string, file: string): ConfigFile[] {
  const { source, documents } = readYaml(text, file)
  return documents.map(({ value, eventIndex }) => ({ file, value, source, eventIndex }))
}

/** Returns the place of a field of the file, or of the nearest field around it, as `file:line`. */
export function placeOfField(config: ConfigFile, path: readonly PropertyKey[]): string {
  return placeOf(config.source, offsetOfField(config, path))
}

/** The places of the fields of a file. */
export function placesIn(config: ConfigFile): FieldPlaces {
  return { subject: '', above: '', at: (steps) => locationOf(config.source, offsetOfField(config, steps)) }
}

/** The line of `placeOfField`, counted from 1. */
export function lineOfField(config: ConfigFile, path: readonly PropertyKey[]): number {
  return lineAt(config.source.text, offsetOfField(config, path))
}

function offsetOfField(config: ConfigFile, path: readonly PropertyKey[]): number {
  const steps = path.filter((step) => typeof step !== 'symbol')
  return offsetOfPath(config.source, config.eventIndex, steps)
}
