import { plainVersion, toolNames, type ToolVersions, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import { addAdvice, type ToolPins } from '@wadi/renderer-tools/tool-pins.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { formatLocation } from '@wadi/errors/location.ts'

/** The versions that render what names none in git, as a hydrated branch keeps them. */
export interface KeptVersions {
  /** Without a leading `v`. */
  readonly versions: ToolVersions
  /** The SHA-256 of their programs by the names of the tools, which this machine may have beside its own; absent where they do not matter. */
  readonly digests?: Readonly<Record<string, string>>
  /** Why these, for messages: `kept by branch environments/prod`. */
  readonly reason: string
  /** Of tools of which several branches keep different versions, these with their branches. */
  readonly undecided?: ReadonlyMap<string, string>
}

/** No branch is known, so the versions of this machine render. */
export const nothingKept: KeptVersions = { versions: {}, reason: '' }

/** Returns what a record of versions keeps; what is not one exact version, as anybody may have written it, is left out. */
export function keptVersions(recorded: ToolVersions, reason: string): KeptVersions {
  const known = toolNames.flatMap((name) => {
    const { [name]: version = '' } = recorded
    return wholeVersion.test(version) ? [[name, plainVersion(version)] as const] : []
  })
  return { versions: Object.fromEntries(known), reason }
}

/** Sentences about the versions that render, each once. */
export interface VersionReport {
  /** Of versions other than the default of this machine, with the reasons. */
  readonly lines: readonly string[]
  /** Of kept versions that this machine does not have. */
  readonly warnings: readonly string[]
}

/** The reasons for versions, and the tools of this machine with its own as the default. */
interface VersionChoice {
  readonly pins: ToolPins
  readonly kept: KeptVersions
  readonly tools: Tools
}

/** Reports the versions that render, where they are not the default of this machine or not those that they have to be. */
export function versionReport(
  used: readonly { readonly name: string; readonly version: string }[],
  { pins, kept, tools }: VersionChoice,
): VersionReport {
  const lines: string[] = []
  const warnings: string[] = []
  for (const name of toolNames) {
    const named = used.filter((tool) => tool.name === name).map(({ version }) => plainVersion(version))
    const own = plainVersion(tools[name].version)
    const { [name]: pin } = pins
    const wanted = kept.versions[name] ?? ''
    for (const version of new Set(named)) {
      if (version === own) continue
      const reason =
        pin?.version === version && pin.at
          ? `named in ${formatLocation(pin.at)}`
          : version === wanted
            ? kept.reason
            : 'named in git'
      lines.push(`${name} ${version} renders, ${reason}; the default here is ${own}`)
    }
    if (pin !== undefined || !named.includes(own)) continue
    const undecided = kept.undecided?.get(name)
    if (undecided !== undefined)
      warnings.push(
        `branches of this clone keep different versions of ${name}: ${undecided}; the default here, ${own}, renders; choose one with --branch`,
      )
    if (wanted !== '' && wanted !== own && !tools.others?.[name].has(wanted))
      warnings.push(
        `${name} ${wanted}, ${kept.reason}, is not on this machine; ${own} renders in its place, so the result may differ; ${addAdvice(name, wanted)}`,
      )
  }
  return { lines, warnings }
}
