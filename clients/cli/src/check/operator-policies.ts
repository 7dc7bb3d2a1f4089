import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import type { PolicyFile } from '@wadi/gates/gate.ts'
import { operatorPoliciesConfigMap } from '@wadi/hydration/operator-policies.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { readManifestTexts } from '@wadi/rendering/source/manifest-texts.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * Reads the policies of an operator: the files in a ConfigMap `wadi-policies-cm`, or files of policies themselves.
 * @param place a file, or a directory, of which all YAML and JSON files are read
 * @throws CommandFailure if there is nothing at the place, InvalidInputError for a file that is not manifests
 */
export async function readOperatorPolicies(place: string): Promise<readonly PolicyFile[]> {
  const description = await stat(place, { throwIfNoEntry: false })
  if (description === undefined) throw new CommandFailure(`${place} does not exist`)
  if (description.isDirectory()) {
    const files = await readManifestTexts(openDirectoryTree(place), '', '--operator-policies')
    return files.flatMap(policyFiles)
  }
  const file = basename(place)
  return policyFiles({ file, text: fileText(await readFile(place), file) })
}

function policyFiles(file: PolicyFile): readonly PolicyFile[] {
  const configMaps = parseManifests(file.text, { file: file.file }).filter(isOfPolicies)
  const inside = configMaps.flatMap((configMap) => Object.entries(objectAt(configMap, 'data')))
  const own = inside.map(([name, text]) => ({
    file: `${operatorPoliciesConfigMap}/${name}`,
    text: String(text),
  }))
  return [file, ...own]
}

function isOfPolicies(manifest: Manifest): boolean {
  const { kind, name } = manifestIdentity(manifest)
  return kind === 'ConfigMap' && name === operatorPoliciesConfigMap
}
