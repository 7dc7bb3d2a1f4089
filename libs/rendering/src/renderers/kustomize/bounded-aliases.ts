import { isJsonObject } from '@wadi/fields/json-object.ts'
import { boundAliasExpansion } from '@wadi/manifests/alias-expansion.ts'
import { defaultManifestLimits } from '@wadi/manifests/parse-manifests.ts'
import { parseConfigs } from '../../source/config-file.ts'
import type { KustomizeBuild } from './kustomize-build.ts'

/** Fields of a kustomization in which YAML may stand as text. */
const yamlFields = [
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'generators',
  'transformers',
  'validators',
]

/**
 * Bounds what the aliases of all YAML that a build reads come to, as those of a plain directory are: patches and resources
 * that stand in a kustomization too.
 * @param textOf gives the text of a file; undefined where none is
 * @throws ResourceExhaustedError (`file:line: …`) above the limits of manifests
 */
export function boundKustomizationAliases(
  textOf: (file: string) => string | undefined,
  { kustomizations, yamlFiles, options }: KustomizeBuild,
): void {
  for (const file of yamlFiles) {
    boundAliasExpansion(textOf(file) ?? '', file, defaultManifestLimits)
  }
  for (const file of kustomizations) {
    for (const { value } of parseConfigs(textOf(file) ?? '', file)) {
      for (const field of yamlFields) {
        if (isJsonObject(value)) boundTexts(value[field], file)
      }
    }
  }
  boundTexts(options.patches, 'kustomize.patches')
}

/** Bounds the aliases of every text that may be read as YAML: one of several lines, or with a list or an object. */
function boundTexts(value: unknown, file: string): void {
  if (typeof value === 'string') {
    if (/[\n[{]/.test(value)) boundAliasExpansion(value, file, defaultManifestLimits)
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) boundTexts(child, file)
  }
}
