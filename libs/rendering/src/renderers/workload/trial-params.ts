import { applySetValues, parseSetValues } from '@wadi/params/resolve/assign.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { OwnerParam } from '@wadi/supply-chains/read/cartographer-objects.ts'
import type { TrialValues } from '../../source/source.ts'

/**
 * The parameters of workloads that are tried out: the top-level keys of the values files, merged in their order, and of
 * the settings, which win.
 * @throws InvalidInputError for a file that is not a map of values, or a setting that is none
 */
export function trialParams(trial: TrialValues | undefined): OwnerParam[] {
  if (trial === undefined) return []
  const { valuesFiles, setValues } = trial
  const files = valuesFiles.map(({ path, text }) => readLocatedYaml(text, path, { rules: 'kubernetes' }))
  const settings = applySetValues(parseSetValues(setValues), { file: '--set-values' })
  const tree = resolve([...files, settings].map(layer), 'deep').located()
  const names = isValueMap(tree.value) ? [...tree.value.keys()] : []
  return names.flatMap((name) => {
    const value = partOf(tree, name)
    return value === undefined ? [] : [{ name, value, at: value.at }]
  })
}

function layer(tree: Located): Layer {
  return { rank: 2, owner: 'developer', kind: 'value', tree }
}
