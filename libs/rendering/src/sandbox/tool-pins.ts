import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { plainVersion, type ToolName, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { Kustomize, Tool, Tools } from './find-tools.ts'
import { installedVersions } from './list-tools.ts'
import type { OtherVersion } from './other-versions.ts'

/** A version of a tool that something asks for. */
export interface ToolPin {
  /** Without a leading `v`. */
  readonly version: string
  /** The field that asks for it, for messages. */
  readonly path: string
  /** Its place; absent for one that is in no file. */
  readonly at?: Location | undefined
}

/** The versions that decide which programs render; those of the installation render where there is none. */
export type ToolPins = Readonly<Partial<Record<ToolName, ToolPin>>>

/** Nothing is asked for; one object, as inspections are kept by the thousand. */
export const noPins: ToolPins = {}

/**
 * Reads a version as git has it: `4.3.1` or `v4.3.1`.
 * @throws InvalidInputError for a range, a version that is not whole, or anything else
 */
export function toolPin(value: unknown, path: string, at?: Location): ToolPin {
  if (typeof value === 'string' && wholeVersion.test(value)) return { version: plainVersion(value), path, at }
  throw new InvalidInputError(`${path} must be one exact version, such as 4.3.1`, { at, path })
}

/**
 * Returns the tools with the versions that are asked for in the place of the installation's own.
 * @throws InvalidInputError for a version that is not there or cannot be used, with those that are
 */
export async function withPins<Some extends Tools>(tools: Some, pins: ToolPins): Promise<Some> {
  const { helm, kustomize } = pins
  if (helm === undefined && kustomize === undefined) return tools
  return {
    ...tools,
    ...(helm && { helm: await pinned(tools, 'helm', helm) }),
    ...(kustomize && { kustomize: await pinned(tools, 'kustomize', kustomize) }),
  }
}

/**
 * Returns the tools with other versions as the installation's own; one that is not installed changes nothing.
 * @param wanted versions without a leading `v`; empty for no other
 * @throws InvalidInputError for one that cannot be used, with the reason
 */
export async function withDefaults<Some extends Tools>(
  tools: Some,
  wanted: Readonly<Record<ToolName, string>>,
): Promise<Some> {
  const { helm, kustomize, others } = tools
  const otherHelm = await others?.helm.get(wanted.helm)?.open()
  const otherKustomize = await others?.kustomize.get(wanted.kustomize)?.open()
  if (!others || (!otherHelm && !otherKustomize)) return tools
  return {
    ...tools,
    helm: otherHelm ?? helm,
    kustomize: otherKustomize ?? kustomize,
    others: { helm: withOwn(others.helm, helm), kustomize: withOwn(others.kustomize, kustomize) },
  }
}

/** Git may ask for the installation's own version too. */
function withOwn<Found extends Tool>(
  others: ReadonlyMap<string, OtherVersion<Found>>,
  own: Found,
): ReadonlyMap<string, OtherVersion<Found>> {
  return new Map([...others, [plainVersion(own.version), { identity: 'own', open: async () => own }]])
}

async function pinned(tools: Tools, name: 'helm', pin: ToolPin): Promise<Tool>
async function pinned(tools: Tools, name: 'kustomize', pin: ToolPin): Promise<Kustomize>
async function pinned(tools: Tools, name: ToolName, pin: ToolPin): Promise<Tool> {
  if (plainVersion(tools[name].version) === pin.version) return tools[name]
  const other = tools.others?.[name].get(pin.version)
  if (other === undefined) throw notInstalled(tools, name, pin)
  try {
    return await other.open()
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause
    throw new InvalidInputError(`${pin.path}: ${cause.message}`, { at: pin.at, path: pin.path, cause })
  }
}

function notInstalled(tools: Tools, name: ToolName, { version, path, at }: ToolPin): InvalidInputError {
  const there = installedVersions(tools).filter((tool) => tool.name === name)
  const versions = [...new Set(there.map((tool) => plainVersion(tool.version)))].join(', ')
  return new InvalidInputError(
    `${path}: ${name} ${version} is not installed, but ${versions}; choose one of them, or ask the operator for ${name}/${version}/${name} in WADI_TOOLS_DIRECTORY`,
    { at, path },
  )
}
