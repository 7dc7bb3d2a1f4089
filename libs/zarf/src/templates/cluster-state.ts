import { fieldOfWrongType, unknownField } from '@wadi/fields/field-findings.ts'
import { locatedView } from '@wadi/params/values/located-view.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located, Value, ValueMap } from '@wadi/params/values/value.ts'
import type { Finding } from '../lint/finding.ts'
import { entriesOf } from '../definition/located-tree.ts'

/** The default state of a cluster that Zarf has set up: its own defaults, none of them secret. */
const defaultState: ValueMap = new Map<string, Value>([
  ['Distro', ''],
  ['StorageClass', ''],
  ['IPFamily', ''],
  [
    'Registry',
    new Map<string, Value>([
      ['Address', '127.0.0.1:31999'],
      ['Port', 31999],
      ['PushUsername', 'zarf-push'],
      ['PullUsername', 'zarf-pull'],
      ['Mode', 'nodeport'],
      ['MTLSEnabled', false],
      ['SeedAddress', '127.0.0.1:0'],
    ]),
  ],
  [
    'Git',
    new Map<string, Value>([
      ['Address', 'http://zarf-gitea-http.zarf.svc.cluster.local:3000'],
      ['PushUsername', 'zarf-git-user'],
      ['PullUsername', 'zarf-git-read-user'],
      ['IsInternal', true],
    ]),
  ],
  [
    'Injector',
    new Map<string, Value>([
      ['Image', ''],
      ['Port', 0],
      ['PayloadConfigMaps', 0],
      ['PayloadShaSum', ''],
    ]),
  ],
])

/** Parts of a cluster's state that are secret and never rendered. */
const secrets = new Set([
  'Registry.PushPassword',
  'Registry.PullPassword',
  'Registry.Secret',
  'Registry.Htpasswd',
  'Git.PushPassword',
  'Git.PullPassword',
  'Agent',
  'Agent.CA',
  'Agent.Cert',
  'Agent.Key',
])

/** True if a part of the state, `Registry.Secret` for example, is secret. */
export function isSecretState(path: readonly string[]): boolean {
  return secrets.has(path.slice(0, 2).join('.')) || path[0] === 'Agent'
}

/**
 * Returns the state that templates and markers see: the defaults with what `x-wadi.state` sets. Fields have the names
 * that they have in templates.
 */
export function clusterState(given: Located | undefined, findings: Finding[]): ValueMap {
  return overlay(defaultState, given, findings, [])
}

function overlay(
  defaults: ValueMap,
  given: Located | undefined,
  findings: Finding[],
  path: readonly string[],
): ValueMap {
  const state = new Map(defaults)
  for (const [key, part] of entriesOf(given)) {
    const place = [...path, key]
    const before = defaults.get(key)
    const field = `x-wadi.state.${place.join('.')}`
    const report = (message: string): void => {
      findings.push({ severity: 'error', message, at: part.at })
    }
    if (isSecretState(place)) {
      report(`${field} is secret and cannot be rendered into git: use a controller or a mutating webhook`)
    } else if (before === undefined) {
      report(unknownField(field, key, [...defaults.keys()]))
    } else if (isValueMap(before) && isValueMap(part.value)) {
      state.set(key, overlay(before, part, findings, place))
    } else if (typeof before === typeof part.value && !isValueMap(part.value)) {
      state.set(key, part.value)
    } else {
      const wanted = locatedView.typeOf({ ...part, value: before })
      report(fieldOfWrongType(field, wanted, locatedView.typeOf(part)))
    }
  }
  return state
}
