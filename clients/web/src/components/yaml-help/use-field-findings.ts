import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { fieldFindings } from './field-findings.ts'
import type { KnownKind } from './kind-fields.ts'

/** Wait after the last key, in milliseconds. */
const typingPause = 300

/** Returns what of a text does not fit the fields of its kind, and the lines; nothing for a text of any kind. */
export function useFieldFindings(text: string, kind: KnownKind | undefined) {
  const [paused] = useDebouncedValue(text, typingPause)
  return useMemo(() => {
    const findings = kind ? fieldFindings(paused, kind) : []
    return { findings, wrongLines: findings.map(({ line }) => line) }
  }, [paused, kind])
}
