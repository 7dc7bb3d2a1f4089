import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../components/error-state.tsx'
import { t } from '../language/t.ts'

/** Stands in for a page that could not be drawn, for example because the console was updated meanwhile. */
export function PageFailed({ error }: ErrorComponentProps) {
  return <ErrorState title={t('This page failed')} error={error} retry={() => globalThis.location.reload()} />
}
