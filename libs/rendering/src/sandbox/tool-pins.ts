import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { plainVersion, type ToolName, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { Kustomize, Tool, Tools } from './find-tools.ts'
import { installedText } from './list-tools.ts'
import { NotDownloadedError, type OtherVersion } from './other-versions.ts'

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
 * @throws InvalidInputError for a version that is not there or cannot be used, with those that are; what downloads throw
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
 * @throws InvalidInputError for one that cannot be used, with the reason; what downloads throw
 */
export async function withDefaults<Some extends Tools>(
  tools: Some,
  wanted: Readonly<Record<ToolName, string>>,
): Promise<Some> {
  const { helm, kustomize, others, mayDownload } = tools
  const otherHelm = await others?.helm.get(wanted.helm)?.open(mayDownload)
  const otherKustomize = await others?.kustomize.get(wanted.kustomize)?.open(mayDownload)
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
  const other = { identity: 'own', origin: 'own', isThere: true, open: async () => own } as const
  return new Map([...others, [plainVersion(own.version), other]])
}

async function pinned(tools: Tools, name: 'helm', pin: ToolPin): Promise<Tool>
async function pinned(tools: Tools, name: 'kustomize', pin: ToolPin): Promise<Kustomize>
async function pinned(tools: Tools, name: ToolName, pin: ToolPin): Promise<Tool> {
  if (plainVersion(tools[name].version) === pin.version) return tools[name]
  const other = tools.others?.[name].get(pin.version)
  if (other === undefined) throw notInstalled(tools, name, pin)
  try {
    return await other.open(tools.mayDownload)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { context } = error
    const reason =
      error instanceof NotDownloadedError
        ? `${error.reason}; choose one of those that are there (${installedText(tools, name)})`
        : error.reason
    throw error.with({
      at: pin.at,
      path: pin.path,
      context: [],
      reason: [pin.path, ...context, reason].join(': '),
    })
  }
}

function notInstalled(tools: Tools, name: ToolName, { version, path, at }: ToolPin): InvalidInputError {
  const download =
    tools.downloads === undefined
      ? 'for downloads (WADI_TOOL_DOWNLOADS)'
      : `for a line with ${name} ${version} in the list of releases (WADI_TOOL_LIST)`
  return new InvalidInputError(
    `${path}: ${name} ${version} is not installed; choose one of those that are (${installedText(tools, name)}), or ask the operator for ${name}/${version}/${name} in WADI_TOOLS_DIRECTORY or ${download}`,
    { at, path },
  )
}
