import type { JsonObject } from '@bufbuild/protobuf'
import { plainVersion } from '@wadi/hydration/tool-versions.ts'
import { printable } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'

/** The output formats of a list of versions. */
export type ToolListFormat = 'wide' | 'json' | 'yaml' | 'name'

/** A version that is there, of this machine or of a server. */
export interface ShownTool {
  readonly name: string
  readonly version: string
  readonly origin: string
  readonly isDefault: boolean
  readonly error: string
  readonly sha256: string
  readonly hasEngine: boolean
  /** Empty for one of a server. */
  readonly program: string
}

/** The verdict on a version. */
export interface ShownVerdict {
  readonly name: string
  readonly version: string
  readonly origin: string
  readonly sha256: string
  readonly status: string
  readonly message: string
}

/** Returns what `tools list` prints. */
export function toolListText(tools: readonly ShownTool[], format: ToolListFormat): string {
  if (format === 'name')
    return tools.map(({ name, version }) => `${name}/${printable(plainVersion(version))}\n`).join('')
  if (format !== 'wide') return structuredText(tools.map(toolObject), format)
  const rows = tools.map((tool) => [
    tool.name,
    plainVersion(tool.version),
    tool.origin,
    usedText(tool),
    tool.error !== '' ? '' : tool.hasEngine ? 'yes' : 'no',
    tool.sha256,
  ])
  return tableText(['TOOL', 'VERSION', 'FROM', 'USED', 'ENGINE', 'SHA256'], rows)
}

/** Returns what `tools verify` prints. */
export function verdictText(
  verdicts: readonly ShownVerdict[],
  format: Exclude<ToolListFormat, 'name'>,
): string {
  const shown = verdicts.map(({ name, version, origin, sha256, status, message }) => ({
    name,
    version,
    origin,
    sha256,
    status,
    message,
  }))
  if (format !== 'wide') return structuredText(shown, format)
  const rows = shown.map(({ name, version, origin, status, message }) => [
    name,
    version,
    origin,
    status,
    message,
  ])
  return tableText(['TOOL', 'VERSION', 'FROM', 'STATUS', 'MESSAGE'], rows)
}

function usedText({ isDefault, error }: ShownTool): string {
  if (error !== '') return `not: ${error}`
  return isDefault ? 'by default' : 'when git names it or a branch keeps it'
}

function toolObject(tool: ShownTool): JsonObject {
  const { name, version, origin, isDefault, error, sha256, hasEngine, program } = tool
  return {
    name,
    version: plainVersion(version),
    origin,
    isDefault,
    hasEngine,
    sha256,
    ...(program !== '' && { program }),
    ...(error !== '' && { error }),
  }
}
