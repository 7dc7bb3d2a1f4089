import { Option } from 'commander'
import type { CommandSession } from '../command-line/command-session.ts'
import type { VersionReport } from './kept-versions.ts'

/** The flag for the hydrated branch whose versions render. */
export function branchOption(): Option {
  return new Option(
    '--branch <branch>',
    'hydrated branch of the clone whose versions of helm and kustomize render what names none in git (default: those on which its hydrated branches agree)',
  )
}

/** Reports the versions that render on standard error. */
export function reportVersions(
  { lines, warnings }: VersionReport,
  { inform, warn }: Pick<CommandSession, 'inform' | 'warn'>,
): void {
  for (const line of lines) inform(line)
  for (const warning of warnings) warn(warning)
}
