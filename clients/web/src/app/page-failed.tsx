import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../components/error-state.tsx'

/** Stands in for a page that could not be drawn, for example because the console was updated meanwhile. */
export function PageFailed({ error }: ErrorComponentProps) {
  return <ErrorState title="This page failed" error={error} retry={() => globalThis.location.reload()} />
}
