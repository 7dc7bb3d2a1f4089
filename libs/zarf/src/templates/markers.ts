import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Value, ValueMap } from '@wadi/params/values/value.ts'
import type { Finding } from '../lint/finding.ts'

/** The value of a marker in a text. */
export interface Marker {
  value: string
  /** True if further lines of the value are indented like the marker. */
  autoIndent: boolean
  /** True if it stands for the state of a cluster. */
  isState: boolean
}

/** Markers by their names, as `VAR_X` for `###ZARF_VAR_X###`. */
export type Markers = ReadonlyMap<string, Marker>

/** A text, and the markers that it was made of. */
export interface MarkedText {
  text: string
  /** Names of markers in the text, known or not, with the line where each first stands. */
  names: ReadonlyMap<string, number>
}

const markerPattern = /###ZARF_([A-Z0-9_]+)###/g

/** Markers that stand for secrets everywhere, and in the components that set a cluster up. */
const secret = new Set(['REGISTRY_AUTH_PUSH', 'REGISTRY_AUTH_PULL', 'GIT_AUTH_PUSH', 'GIT_AUTH_PULL'])
const componentSecrets = new Map([
  ['zarf-agent', ['AGENT_CRT', 'AGENT_KEY', 'AGENT_CA']],
  ['zarf-seed-registry', ['HTPASSWD', 'REGISTRY_SECRET']],
  ['zarf-registry', ['HTPASSWD', 'REGISTRY_SECRET']],
])

/**
 * Replaces the markers of a text line by line. Unknown ones stay, line ends become line feeds, and the text ends with
 * one, all as Zarf does it.
 *
 * @param place Where the text is, for messages.
 * @throws ResourceExhaustedError when the markers stand for more than 16 MiB.
 */
export function replaceMarkers(text: string, markers: Markers, place: string): MarkedText {
  const names = new Map<string, number>()
  const growth: Growth = { left: maxGrowth, place }
  if (text === '') {
    return { text, names }
  }
  const lines = text.split('\n')
  if (lines.at(-1) === '') {
    lines.pop()
  }
  const replaced = lines.map((line, index) =>
    replaceInLine(line.replace(/\r$/, ''), markers, names, growth, index + 1),
  )
  return { text: `${replaced.join('\n')}\n`, names }
}

/** The most characters that the markers of a text may stand for. */
const maxGrowth = 16 * 1024 * 1024

interface Growth {
  /** The number of characters that may still be inserted. */
  left: number
  place: string
}

function replaceInLine(
  line: string,
  markers: Markers,
  names: Map<string, number>,
  growth: Growth,
  number: number,
): string {
  if (!line.includes('###ZARF_')) {
    return line
  }
  let end = 0
  return line.replace(markerPattern, (written: string, name: string, offset: number) => {
    const before = line.slice(end, offset)
    end = offset + written.length
    names.set(name, names.get(name) ?? number)
    const marker = markers.get(name)
    if (marker === undefined) {
      return written
    }
    const { value } = marker
    const indent = marker.autoIndent ? Buffer.byteLength(before) : 0
    const grown = value.length + (indent === 0 ? 0 : (value.split('\n').length - 1) * indent)
    growth.left -= grown
    if (growth.left < 0) {
      throw new ResourceExhaustedError(`the markers stand for more than ${maxGrowth} characters: use fewer`, {
        at: { file: growth.place, line: number },
      })
    }
    return indent === 0 ? value : value.replaceAll('\n', `\n${' '.repeat(indent)}`)
  })
}

/** Adds a finding for each marker that cannot be hydrated: secrets, and what changes from one run to the next. */
export function refuseMarkers(
  { names }: MarkedText,
  component: string,
  place: Location,
  findings: Finding[],
): void {
  const secrets = componentSecrets.get(component) ?? []
  for (const [name, line] of names) {
    const report = (message: string): void => {
      const at = place.line === undefined ? { file: place.file, line } : place
      findings.push({ severity: 'error', message: `###ZARF_${name}### ${message}`, at })
    }
    if (secret.has(name) || secrets.includes(name)) {
      report(
        'stands for a secret of the cluster, which cannot be rendered into git: use a controller or webhook',
      )
    } else if (name === 'DATA_INJECTION_MARKER') {
      report('stands for the time of the deployment and is different each time')
    }
  }
}

/** Returns the markers that stand for the state of a cluster. */
export function stateMarkers(state: ValueMap, component: string): Map<string, Marker> {
  const at = (...path: string[]): string => {
    const value = path.reduce<Value | undefined>(
      (tree, key) => (isValueMap(tree) ? tree.get(key) : undefined),
      state,
    )
    return typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : typeof value === 'string'
        ? value
        : ''
  }
  const texts: [string, string][] = [
    ['STORAGE_CLASS', at('StorageClass')],
    ['IPV6_ONLY', String(at('IPFamily').toLowerCase() === 'ipv6')],
    ['REGISTRY_MTLS_ENABLED', at('Registry', 'MTLSEnabled')],
    ['REGISTRY_PROXY', String(at('Registry', 'Mode') === 'proxy')],
    ['INJECTOR_IMAGE', at('Injector', 'Image')],
    ['INJECTOR_HOSTPORT', at('Injector', 'Port')],
    ['INJECTOR_PAYLOAD_CONFIGMAPS', at('Injector', 'PayloadConfigMaps')],
    ['INJECTOR_SHASUM', at('Injector', 'PayloadShaSum')],
    ['REGISTRY', at('Registry', 'Address')],
    ['NODEPORT', at('Registry', 'Port')],
    ['REGISTRY_PORT', at('Registry', 'Port')],
    ['GIT_PUSH', at('Git', 'PushUsername')],
    ['GIT_PULL', at('Git', 'PullUsername')],
    ...(component === 'zarf-seed-registry' || component === 'zarf-registry'
      ? [['SEED_REGISTRY', at('Registry', 'SeedAddress')] satisfies [string, string]]
      : []),
  ]
  return new Map(texts.map(([name, value]) => [name, { value, autoIndent: false, isState: true }]))
}
