import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import {
  namesNoHelm,
  plainVersion,
  type ToolName,
  toolNames,
  wholeVersion,
} from '@wadi/hydration/tool-versions.ts'
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
  /** The role that asks for it. */
  readonly owner: 'operator' | 'developer'
}

/** The versions that decide which programs render; those of the installation render where there is none. */
export type ToolPins = Readonly<Partial<Record<ToolName, ToolPin>>>

/** Nothing is asked for; one object, as inspections are kept by the thousand. */
export const noPins: ToolPins = {}

/**
 * Reads a version as git has it: `4.3.1` or `v4.3.1`.
 * @throws InvalidInputError for a range, a version that is not whole, or anything else
 */
export function toolPin(
  value: unknown,
  path: string,
  at?: Location,
  owner: ToolPin['owner'] = 'developer',
): ToolPin {
  if (typeof value === 'string' && wholeVersion.test(value)) {
    return { version: plainVersion(value), path, at, owner }
  }
  throw new InvalidInputError(`${path} must be one exact version, such as 4.3.1`, { at, path })
}

/** The options of a directory, as far as they name versions, and where each is written. */
interface LocatedOptions {
  readonly options: { readonly [Name in ToolName]?: { readonly version?: string | undefined } | undefined }
  readonly originOf: (path: string[]) => { readonly file: string; readonly line: number } | undefined
}

/**
 * Returns the versions that the options of a directory ask for. A major version of Helm alone decides nothing, as in Argo CD.
 * @throws InvalidInputError for what is not one exact version, with its place
 */
export function optionPins({ options, originOf }: LocatedOptions): ToolPins {
  const pins = toolNames.flatMap((name) => {
    const version = options[name]?.version ?? ''
    if (version === '' || (name === 'helm' && namesNoHelm(version))) return []
    const origin = originOf([name, 'version'])
    const at = origin?.file ? { file: origin.file, line: origin.line } : undefined
    return [[name, toolPin(version, `${name}.version`, at)] as const]
  })
  return pins.length === 0 ? noPins : Object.fromEntries(pins)
}

/**
 * Returns the tools with the versions that are asked for in the place of their own, which parts of a source may still ask for.
 * @throws InvalidInputError for a version that is not there or cannot be used, with those that are; what downloads throw
 */
export async function withPins<Some extends Tools>(tools: Some, pins: ToolPins): Promise<Some> {
  const { helm, kustomize } = pins
  if (helm === undefined && kustomize === undefined) return tools
  return {
    ...withOwnAmongOthers(tools),
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
  const { others, mayDownload } = tools
  const helm = await others?.helm.get(wanted.helm)?.open(mayDownload)
  const kustomize = await others?.kustomize.get(wanted.kustomize)?.open(mayDownload)
  if (!helm && !kustomize) return tools
  return { ...withOwnAmongOthers(tools), ...(helm && { helm }), ...(kustomize && { kustomize }) }
}

/** Git may ask for the versions that others take the place of. */
function withOwnAmongOthers<Some extends Tools>(tools: Some): Some {
  const { helm, kustomize, others } = tools
  if (!others) return tools
  return {
    ...tools,
    others: { helm: withOwn(others.helm, helm), kustomize: withOwn(others.kustomize, kustomize) },
  }
}

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

/** Says how a version comes to this machine. */
export function addAdvice(name: string, version: string): string {
  return `add it with "wadi tools add ${name} ${plainVersion(version)}"`
}

function notInstalled(tools: Tools, name: ToolName, { version, path, at }: ToolPin): InvalidInputError {
  const download =
    tools.downloads === undefined
      ? 'for downloads (WADI_TOOL_DOWNLOADS)'
      : `for a line with ${name} ${version} in the list of releases (WADI_TOOL_LIST)`
  const advice = tools.isLocal
    ? addAdvice(name, version)
    : `ask the operator for ${name}/${version}/${name} in WADI_TOOLS_DIRECTORY or ${download}`
  return new InvalidInputError(
    `${path}: ${name} ${version} is not installed; choose one of those that are (${installedText(tools, name)}), or ${advice}`,
    { at, path },
  )
}
