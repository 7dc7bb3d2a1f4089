import { formatLocation } from '@wadi/errors/location.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import type { CheckedObjects } from '@wadi/gates/checked-objects.ts'
import { type Finding, objectName } from '@wadi/gates/finding.ts'
import { DeniedError, type FoundInSource } from './denied-error.ts'

/** Most findings of a message. */
const maxShown = 20

/** Returns the error for denied findings, which lists them with place and advice. */
export function deniedError({ findings, denied }: CheckedObjects, found: FoundInSource): DeniedError {
  const shown = findings.filter(({ severity }) => severity === 'deny').slice(0, maxShown)
  const more = denied > shown.length ? [`and ${denied - shown.length} more`] : []
  const lines = [...someOf(shown.map(placedText), maxShown), ...more]
  const reason = `gates deny what it renders to; fix it, or waive in wadi.yaml what the operator leaves to the repository:\n${lines.join('\n')}`
  return new DeniedError(reason, found)
}

/** Returns a finding as one line, without its place. */
export function findingText(finding: Finding): string {
  const { rule, field, message } = finding
  return `${[rule, objectName(finding), field].filter((part) => part !== '').join(' ')}: ${message}`
}

function placedText(finding: Finding): string {
  const place = finding.at === undefined ? '' : `${formatLocation(finding.at)}: `
  return `${place}${findingText(finding)}`
}
