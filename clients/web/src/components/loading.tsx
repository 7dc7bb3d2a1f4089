import { Center, Loader } from '@mantine/core'
import { t } from '../language/t.ts'

/** Says that something is on its way. */
export function Loading({ height = 240 }: { height?: number | string }) {
  return (
    <Center h={height}>
      <Loader role="status" aria-label={t('Loading')} />
    </Center>
  )
}
